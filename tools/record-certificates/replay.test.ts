import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answer, isUnpredictable } from './answer.ts';
import { questionsOf } from './questions.ts';
import { recordedCount, recordedSeed } from './recorded.ts';

const recorded = readFileSync(new URL('testdata/answers.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as string); // as recorded

test('certificates, requests and keys have the faults that Go finds in them', () => {
  const questions = questionsOf(recordedSeed, recordedCount);
  expect(questions.length).toBe(recorded.length);
  const wrong = questions.flatMap((question, index) => {
    const expected = recorded[index] ?? '';
    const found = answer(question);
    return found === expected || isUnpredictable(expected)
      ? []
      : [`${question.kind} ${question.name}: ${expected} | ${found}`];
  });
  expect(wrong).toEqual([]);
});
