import { spawnSync } from 'node:child_process';
import type { Evaluation, Question } from './question.ts';
import { variablesOf } from './settings.ts';

/** The reference's answers. */
export function answersOf(oracle: string, questions: readonly Question[]): readonly Evaluation[] {
  const input = questions.map((question) => JSON.stringify({ ...question, variables: variablesOf(question) }));
  const run = spawnSync(oracle, { input: input.join('\n'), encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (run.status !== 0) throw new Error(run.stderr);
  // Written by the oracle.
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Evaluation);
}
