import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/api/time/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { ApiClient } from '../api-client.ts';
import { asAlone, startTestServer } from '../server-fixture.ts';
import { register } from './behind.ts';

/** Less than a server behind another one may take for its OpenAPI document. */
const timeout = 45_000;

test('a server does not wait for others when it stops', { timeout }, async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-stop-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const serverNames = { dnsNames: ['localhost'], ipAddresses: [] };
  const { server: tls } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  const asked = Promise.withResolvers<void>();
  const behind = createServer({ key: tls.key, cert: tls.certificate }, ({ url = '' }, response) => {
    if (url.startsWith('/openapi/')) asked.resolve();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"resources":[],"groups":[]}');
  });
  opened.defer(() => behind.closeAllConnections());
  await new Promise<void>((done) => void behind.listen(0, 'localhost', done));
  const { port } = behind.address() as AddressInfo; // listens on TCP
  const front = await startTestServer({}, {}, { config: asAlone });
  {
    using client = await ApiClient.connect(front);
    await register(client, { group: 'slow.example', port });
    await asked.promise;
  }
  await expect(front[Symbol.asyncDispose]()).resolves.toBeUndefined();
  behind.close();
});
