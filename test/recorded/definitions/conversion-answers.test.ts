import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { readSharedResponses } from '../recording.ts';
import { playConversionResponses, type PlayedResponses } from './play-conversion-answers.ts';

const recorded = readSharedResponses<string>('definitions', 'conversion-answers');

/** Steps with another answer, and why. */
const knownDifferences: readonly { readonly steps: RegExp; readonly reason: string }[] = [
  {
    steps: /^no answer, v2: (?!list)/,
    reason: 'Recorded in other words: the reference answers reads with 504 in plain words, and breaks writes off.',
  },
  {
    steps:
      /^an object (?:without a kind|of an odd version), v2: (?!list)|^(?:another|no) namespace, v2: apply anew$|^another object uid, v2: (?:create|create again|apply anew)$/,
    reason:
      'What is created is converted before the server has completed its metadata; what is stored has its version.',
  },
  {
    steps:
      /^(?:a spec that is a text|replicas that are a text), v2: (?:create|create again|apply anew)$|^a spec that is null, v2: merge the scale$|^a status that is a list, v2: merge the status$/,
    reason: 'What a webhook has made of an object is validated before it is stored.',
  },
  {
    steps: /^a spec that is null, v2: apply$|^fields that the schema lacks, v2: apply$/,
    reason: 'An absent field and a null are one; all fields that the schema lacks are told.',
  },
  {
    steps: /, v2: (?:list|list at any version|delete all)$/,
    reason: 'After a change of the definition the reference fills its cache anew, and answers 429 until it can.',
  },
];
const unreachable =
  /^(?:a closed port|another authority|no authority|an unknown service|a service without endpoints|another port of a service), /;

function isKnown(step: string): boolean {
  return knownDifferences.some(
    ({ steps, reason }) => steps.test(step) && (!reason.startsWith('After') || unreachable.test(step)),
  );
}

let server: TestServer;
let played: PlayedResponses;

beforeAll(async () => {
  server = await startTestServer();
  played = await playConversionResponses(server, { settleMs: 20 });
}, 300_000);

afterAll(() => server[Symbol.asyncDispose]());

test('whatever a conversion webhook answers, requests are answered as by the reference', () => {
  const wrong = [...recorded].filter(([step, answer]) => !isKnown(step) && played[step] !== answer);
  expect(wrong.map(([step, answer]) => [step, played[step], answer])).toEqual([]);
});

test('requests do not wait longer for a webhook than their own time', () => {
  const answers = Object.entries(played).filter(([step]) => step.startsWith('no answer, v2: ') && !/: list/.test(step));
  expect(answers.length).toBeGreaterThan(10);
  for (const [step, answer] of answers)
    expect(answer, step).toMatch(/^504 .*did not complete within the allotted timeout/);
});
