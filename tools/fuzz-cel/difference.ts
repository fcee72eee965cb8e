import { differenceOf } from '../../test/recorded/cel/answer.ts';
import type { Evaluation } from '../../test/recorded/cel/question.ts';

/** The difference between two answers, but for what tells of the reference's insides; undefined if there is none. */
export function meaningfulDifference(expected: Evaluation, found: Evaluation): string | undefined {
  // Ours answers where the reference panics before it evaluates anything.
  if (expected.program?.startsWith('panic: ') === true) return undefined;
  return differenceOf(comparable(expected), comparable(found));
}

/** Names of Go types as index, and the numbers of type variables, which are counted in random order. */
function comparable(answer: Evaluation): Evaluation {
  const texts = Object.entries(answer).map(([key, value]) => [
    key,
    typeof value === 'string' && key !== 'result' ? anonymous(value) : value,
  ]);
  // The same keys.
  return Object.fromEntries(texts) as Evaluation;
}

function anonymous(text: string): string {
  return text.replace(/_var\d+/g, '_var').replace(/invalid qualifier type: .*/, 'invalid qualifier type');
}
