import { expect, it } from 'vitest';
import { prepareExpressions } from '../../../src/cel/environments/kubernetes.ts';
import { readCases } from '../recording.ts';
import { answer } from './answer.ts';
import type { Evaluation } from './question.ts';
import { meaningfulDifference } from '../../../tools/fuzz-cel/difference.ts';
import { randomQuestion } from '../../../tools/fuzz-cel/random-question.ts';

interface Recorded extends Evaluation {
  readonly seed: number;
}

const recorded = readCases<Recorded>('cel', 'random-expressions');

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
