import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { play, type Played } from './play.ts';
import { readRecording } from './recording.ts';
import { accepts, requests } from './requests.ts';

let server: TestServer;
let played: Played;

beforeAll(async () => {
  server = await startTestServer();
  played = await play(server);
}, 240_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const recorded = readRecording();

test('all requests have been recorded', () => {
  expect([...recorded.keys()]).toEqual(requests.map(({ name }) => name));
});

describe.each(requests)('$method $path', ({ name }) => {
  test('is negotiated like by the reference', () => {
    const byAccept = (answers: readonly string[] | undefined): object =>
      Object.fromEntries((answers ?? []).map((answer, index) => [String(accepts[index]), answer]));
    expect(byAccept(played.get(name))).toEqual(byAccept(recorded.get(name)));
  });
});
