import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { playLostFields, type PlayedLosses } from './play-lost-fields.ts';

// Written by record-lost-fields.ts.
const path = join(import.meta.dirname, 'testdata', 'lost-fields.json');
const recorded = JSON.parse(readFileSync(path, 'utf8')) as PlayedLosses;

/** Owners are looked for, and generations counted, in what conversion leaves of a write; there in what was sent. */
function differs(step: string): boolean {
  return /^stored as (v\d), (?!\1)/.test(step) && !step.endsWith('an apply that creates');
}

let server: TestServer;
let played: PlayedLosses;

beforeAll(async () => {
  server = await startTestServer();
  played = await playLostFields(server, { settleMs: 20 });
}, 60_000);

afterAll(() => server[Symbol.asyncDispose]());

test.each(Object.keys(recorded))('%s', (step) => {
  if (!differs(step)) expect(played[step]).toEqual(recorded[step]);
  else expect(played[step], 'no longer differs: take it off the list').not.toEqual(recorded[step]);
});
