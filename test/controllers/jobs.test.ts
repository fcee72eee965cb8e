import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';

let server: TestServer;
let client: ApiClient;
const jobs = '/apis/batch/v1/namespaces/default/jobs';

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

async function finished(name: string, ttlSecondsAfterFinished?: number): Promise<void> {
  const template = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } };
  const spec = { template, ...(ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished }) };
  expect(await client.send('POST', jobs, { body: { metadata: { name }, spec } })).toMatchObject({ code: 201 });
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: now });
  const status = {
    startTime: now,
    completionTime: now,
    succeeded: 1,
    conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
  };
  const patch = { contentType: 'application/merge-patch+json', body: { status } };
  expect(await client.send('PATCH', `${jobs}/${name}/status`, patch)).toMatchObject({ code: 200 });
}

async function codeOf(name: string): Promise<number> {
  return (await client.send('GET', `${jobs}/${name}`)).code;
}

test('jobs go so many seconds after they have finished as they say', async () => {
  await finished('stays');
  await finished('later', 3600);
  await finished('at-once', 0);
  await finished('soon', 2);
  await expect.poll(() => codeOf('at-once')).toBe(404);
  expect(await codeOf('soon')).toBe(200);
  await expect.poll(() => codeOf('soon'), { timeout: 10_000 }).toBe(404);
  expect([await codeOf('stays'), await codeOf('later')]).toEqual([200, 200]);
});
