import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { playConvertedWrites, type PlayedWrites } from './play-converted-writes.ts';

// Written by record-converted-writes.ts.
const path = join(import.meta.dirname, 'testdata', 'converted-writes.json');
const recorded = JSON.parse(readFileSync(path, 'utf8')) as PlayedWrites;

let server: TestServer;
let played: PlayedWrites;

beforeAll(async () => {
  server = await startTestServer();
  played = await playConvertedWrites(server, { settleMs: 20 });
}, 300_000);

afterAll(() => server[Symbol.asyncDispose]());

test.each(Object.keys(recorded))('%s', (step) => {
  expect(played[step]).toEqual(recorded[step]);
});
