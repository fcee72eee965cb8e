import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { play, type Played } from './play.ts';
import { readRecording } from './recording.ts';
import { requests } from './requests.ts';

// Every method on every form of path, of custom and built-in kinds: the reference's codes and bodies.

let server: TestServer;
let played: Played;

beforeAll(async () => {
  server = await startTestServer();
  played = await play(server);
}, 120_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const recorded = readRecording();

test('all requests have been recorded', () => {
  expect([...recorded.keys()].toSorted()).toEqual(requests.map(({ name }) => name).toSorted());
});

test.each(requests)('$name', ({ name }) => {
  expect(played.get(name)).toBe(recorded.get(name));
});
