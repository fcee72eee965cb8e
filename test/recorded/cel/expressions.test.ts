import { beforeAll, describe, expect, it } from 'vitest';
import { prepareExpressions } from '../../../src/cel/environments/kubernetes.ts';
import { readCases } from '../recording.ts';
import { answer, differenceOf } from './answer.ts';
import type { Evaluation, Question } from './question.ts';

type Recorded = Question & Evaluation;

const recorded = readCases<Recorded>('cel', 'expressions');

/** Expressions with a different result, and why. */
const exceptions: { readonly [expression: string]: string } = {
  'has(self.in)': 'the macro is tried on what the parser could make of the broken name',
  '} + { * .? :': 'of tokens without any order, the reference skips others',
};

const settings = [...new Set(recorded.map(({ setting }) => setting))];

describe('expressions', () => {
  beforeAll(prepareExpressions);

  it('are many', () => {
    expect(recorded.length).toBeGreaterThan(3000);
    const all = new Set(recorded.map(({ expression }) => expression));
    expect(Object.keys(exceptions).filter((each) => !all.has(each))).toEqual([]);
  });

  it.each(settings)('with the variables of %s match the reference', (setting) => {
    const differences = recorded
      .filter((each) => each.setting === setting && !Object.hasOwn(exceptions, each.expression))
      .map((each) => [each.expression, differenceOf(each, answer(each))])
      .filter(([, difference]) => difference !== undefined);
    expect(differences).toEqual([]);
  });

  it.each(recorded.filter(({ expression }) => Object.hasOwn(exceptions, expression)))(
    'differ in $expression',
    (each) => {
      expect(differenceOf(each, answer(each))).toBeDefined();
    },
  );
});
