import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { knownDifferences } from './known-differences.ts';
import { type PlayName, plays, recordedForm, recordingPath } from './plays.ts';

type Played = { readonly [step: string]: unknown };

// The keys of a table.
describe.each(Object.keys(plays) as PlayName[])('%s', (name) => {
  // Written by record.ts.
  const recorded = JSON.parse(readFileSync(recordingPath(name), 'utf8')) as Played;
  let server: TestServer;
  let played: Played;

  beforeAll(async () => {
    server = await startTestServer();
    played = await plays[name](server, { settleMs: 20 });
  }, 300_000);

  afterAll(() => server[Symbol.asyncDispose]());

  test.each(Object.keys(recorded))('%s', (step) => {
    const isKnown = knownDifferences[name]?.some(({ steps }) => steps.test(step)) ?? false;
    const answer = recordedForm(name, played[step]);
    if (!isKnown) expect(answer, JSON.stringify(played[step])).toEqual(recorded[step]);
    else expect(answer, 'no longer differs: take it off the list').not.toEqual(recorded[step]);
  });
});
