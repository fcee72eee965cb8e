import { afterAll, beforeAll, describe, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { expectRecorded } from '../expect-recorded.ts';
import { readFields } from '../recording.ts';
import { knownDifferences } from './known-differences.ts';
import { type PlayName, plays, recordedForm } from './plays.ts';

type Played = { readonly [step: string]: unknown };

// The keys of a table.
describe.each(Object.keys(plays) as PlayName[])('%s', (name) => {
  const recorded = readFields<Played>('definitions', name);
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
    expectRecorded({ name: `${step}: ${JSON.stringify(played[step])}`, answer, recorded: recorded[step], isKnown });
  });
});
