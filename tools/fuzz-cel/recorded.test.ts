import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { prepareExpressions } from '../../src/cel/environments/kubernetes.ts';
import { answer } from '../record-cel/answer.ts';
import type { Answer } from '../record-cel/question.ts';
import { meaningfulDifference } from './difference.ts';
import { randomQuestion } from './random-question.ts';

interface Recorded extends Answer {
  readonly seed: number;
}

const recorded = readFileSync(new URL('testdata/answers.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  // Written by the tool.
  .map((line) => JSON.parse(line) as Recorded);

it('random expressions have the results, errors and costs of the reference', async () => {
  await prepareExpressions();
  const differences = recorded.flatMap((expected) => {
    const difference = meaningfulDifference(expected, answer(randomQuestion(expected.seed)));
    return difference === undefined ? [] : [`seed ${expected.seed}: ${difference}`];
  });
  expect(differences).toEqual([]);
  expect(recorded.filter(({ result }) => result !== undefined).length).toBeGreaterThan(400);
  expect(recorded.filter(({ compile }) => compile !== undefined).length).toBeGreaterThan(200);
});
