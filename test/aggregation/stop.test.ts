import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startHttpsServer } from '../https-server.ts';
import { asAlone, startTestServer } from '../server-fixture.ts';
import { portOf, register } from './behind.ts';

/** Less than a server behind another one may take for its OpenAPI document. */
const timeout = 45_000;

test('a server does not wait for others when it stops', { timeout }, async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-stop-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const reached = Promise.withResolvers<void>();
  const behind = opened.use(
    await startHttpsServer({ folder }, ({ url = '' }, response) => {
      if (url.startsWith('/openapi/')) reached.resolve();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"resources":[],"groups":[]}');
    }),
  );
  const front = await startTestServer({}, {}, { config: asAlone });
  {
    using client = await ApiClient.connect(front);
    await register(client, { group: 'slow.example', port: portOf(behind) });
    await reached.promise;
  }
  await expect(front[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
