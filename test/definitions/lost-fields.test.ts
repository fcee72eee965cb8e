import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { playLostFields, type PlayedLosses } from './play-lost-fields.ts';

// Written by record-lost-fields.ts.
const path = join(import.meta.dirname, 'testdata', 'lost-fields.json');
const recorded = JSON.parse(readFileSync(path, 'utf8')) as PlayedLosses;

let server: TestServer;
let played: PlayedLosses;

beforeAll(async () => {
  server = await startTestServer();
  played = await playLostFields(server, { settleMs: 20 });
}, 60_000);

afterAll(() => server[Symbol.asyncDispose]());

test.each(Object.keys(recorded))('%s', (step) => {
  expect(played[step]).toEqual(recorded[step]);
});
