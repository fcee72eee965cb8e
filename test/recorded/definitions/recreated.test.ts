import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { expectRecorded } from '../expect-recorded.ts';
import { readFields } from '../recording.ts';
import { type PlayedAgain, playRecreated } from './play-recreated.ts';

const recorded = readFields<PlayedAgain>('definitions', 'recreated');

const named = 'The reference lists objects of the former kind under its name.';

/** Steps that end in another way, with the reason. */
const knownDifferences: { readonly [step: string]: string } = {
  'kind: again: the old state': named,
  'kind: again: the rest of an old list': named,
};

let server: TestServer;
let played: PlayedAgain;

beforeAll(async () => {
  server = await startTestServer();
  played = JSON.parse(JSON.stringify(await playRecreated(server, { settleMs: 50 }))) as PlayedAgain;
}, 60_000);

afterAll(() => server[Symbol.asyncDispose]());

test('the same steps', () => {
  expect(Object.keys(played).toSorted()).toEqual(Object.keys(recorded).toSorted());
});

test.each(Object.keys(recorded))('%s', (step) => {
  const isKnown = knownDifferences[step] !== undefined;
  expectRecorded({ name: step, answer: played[step], recorded: recorded[step], isKnown });
});
