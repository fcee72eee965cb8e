import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '../../in-parallel.ts';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { expectRecorded } from '../expect-recorded.ts';
import { BodyClient } from './body-client.ts';
import { bodyCases } from './cases/all.ts';
import { knownDifferences } from './known-differences.ts';
import { type PatchingHook, startPatchingHook } from './patching-hook.ts';
import { readRecording } from './recording.ts';

// The reference's responses to bodies, byte for byte: error messages, and objects as they are returned.

/** They are sent as dry runs. */
const bodiesAtOnce = 16;

let server: TestServer;
let client: BodyClient;
let hook: PatchingHook;

beforeAll(async () => {
  server = await startTestServer();
  client = await BodyClient.connect(server);
  hook = await startPatchingHook();
  await client.prepare(hook);
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
  await hook?.[Symbol.asyncDispose]();
});

describe.each(Object.entries(bodyCases))('%s', (file, cases) => {
  it(`answers ${cases.length} bodies like the reference`, async () => {
    const recorded = readRecording(file);
    expect([...recorded.keys()]).toEqual(cases.map(({ name }) => name));
    await inParallel(cases, bodiesAtOnce, async (body) => {
      const { name } = body;
      const isKnown = knownDifferences[name] !== undefined;
      expectRecorded({ name, answer: await client.answers(body), recorded: recorded.get(name), isKnown });
    });
  }, 60_000);
});
