import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { freePort } from '../free-port.ts';

interface ReadyzResponse {
  readonly code: number | undefined;
  readonly lines: readonly string[];
}

/** Undefined: nobody listens yet. */
function readiness(port: number): Promise<ReadyzResponse | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadyzResponse | undefined>();
  const call = request({ port, path: '/readyz?verbose', rejectUnauthorized: false, agent: false }, (answer) => {
    text(answer).then((body) => resolve({ code: answer.statusCode, lines: body.split('\n') }), reject);
  });
  call.once('error', () => resolve(undefined));
  call.end();
  return promise;
}

test('a server is ready when all of its threads serve, and not before', { timeout: 120_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-readiness-'));
  const port = await freePort();
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: port, apiThreads: 3 };
  const storage = { ...configDefaults.storage, inMemory: true };
  const starting = startServer({ ...configDefaults, dataDir, serving, storage });
  const answers: ReadyzResponse[] = [];
  while (answers.at(-1)?.code !== 200) {
    const answer = await readiness(port);
    if (answer === undefined) await sleep(5);
    else answers.push(answer);
  }
  expect(answers[0]?.code).toBe(500);
  expect(answers[0]?.lines).toContain('[-]api-threads failed: reason withheld');
  const begun = answers.findIndex(({ lines }) => lines.includes('[+]api-threads ok'));
  expect(begun).toBeGreaterThan(0);
  // What has begun to serve goes on.
  expect(answers.slice(begun).every(({ lines }) => lines.includes('[+]api-threads ok'))).toBe(true);
  await (await starting).close();
  await rm(dataDir, { recursive: true });
});
