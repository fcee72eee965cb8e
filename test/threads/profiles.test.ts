import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { shownByPprof } from '../profiles/pprof.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

const threads = ['main', 'api-1', 'api-2'];
let server: TestServer;
let clients: readonly ApiClient[];

beforeAll(async () => {
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads: threads.length };
  server = await startTestServer({}, { inMemory: true }, { config: { serving } });
  clients = await Promise.all(Array.from({ length: 12 }, () => ApiClient.connect(server)));
});

afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** The body of the answer, for which all threads have been working. */
async function profileUnderLoad(path: string): Promise<Buffer> {
  const [asking, ...others] = clients;
  const answer = asking?.sendBytes('GET', path, {});
  let ended = false;
  void answer?.finally(() => (ended = true));
  await Promise.all(
    others.map(async (client) => {
      // oxlint-disable-next-line no-await-in-loop -- as fast as it is answered
      while (!ended) await client.send('GET', '/apis/apps/v1/deployments?limit=1');
    }),
  );
  return (await answer)?.bytes ?? Buffer.alloc(0);
}

describe.each([
  ['/debug/pprof/profile?seconds=1', 'cpu'],
  ['/debug/pprof/heap?seconds=1', 'inuse_space'],
  ['/debug/pprof/allocs?seconds=1', 'alloc_space'],
])('%s', (path, type) => {
  test('has the samples of every thread, labelled with its name', async () => {
    const profile = await profileUnderLoad(path);
    const texts = gunzipSync(profile).toString('latin1');
    for (const thread of threads) expect(texts).toContain(thread);
    const raw = await shownByPprof(server, profile, '-raw', `-sample_index=${type}`);
    if (raw === undefined) return;
    const samples = [...raw.matchAll(/^ +\d+ +\d+: [\d ]+$/gm)];
    const labels = [...raw.matchAll(/^ +thread:\[(.+)\]$/gm)].map(([, name]) => name);
    expect(labels).toHaveLength(samples.length);
    for (const thread of threads) expect(labels).toContain(thread);
  });
});
