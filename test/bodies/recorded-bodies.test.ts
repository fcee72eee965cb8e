import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { BodyClient } from './body-client.ts';
import { bodyCases } from './cases/all.ts';
import { readRecording } from './recording.ts';

// What the reference answers to bodies, byte for byte: texts of errors, and objects as they are written back.

let server: TestServer;
let client: BodyClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await BodyClient.connect(server);
  await client.prepare();
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

describe.each(Object.entries(bodyCases))('%s', (file, cases) => {
  it(`answers ${cases.length} bodies as the reference does`, async () => {
    const recorded = readRecording(file);
    expect([...recorded.keys()]).toEqual(cases.map(({ name }) => name));
    for (const body of cases) {
      expect.soft(await client.answers(body), body.name).toEqual(recorded.get(body.name));
    }
  }, 60_000);
});
