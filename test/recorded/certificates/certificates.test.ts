import { expect, test } from 'vitest';
import { readCases } from '../recording.ts';
import { answer, isUnpredictable } from './answer.ts';
import { questionsOf } from './questions.ts';
import { recordedCount, recordedSeed } from './recorded.ts';

const recorded = readCases<string>('certificates', 'answers');

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
