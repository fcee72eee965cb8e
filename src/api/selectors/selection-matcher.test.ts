import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesFields } from './field-selector.ts';
import { type LabelSelector, matchesLabels } from './label-selector.ts';
import { fieldMatcher, labelMatcher } from './selection-matcher.ts';

const key = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom('1', '2', '3', '10', 'x', '');
const labels = fc.dictionary(key, value);
const requirement = fc.record({
  key,
  operator: fc.constantFrom('=', '==', '!=', 'in', 'notin', 'exists', '!'),
  values: fc.array(value, { minLength: 1, maxLength: 4 }),
});
const limit = fc.record({
  key,
  operator: fc.constantFrom('>', '<'),
  values: fc.constantFrom('1', '2', '3', '10').map((each) => [each]),
});
/** Always true, to make the selector long. */
const filler: LabelSelector = [
  { key: 'z', operator: '!', values: Array.from({ length: 40 }, (_, index) => `f${index}`) },
];

describe('a long selector', () => {
  it('selects the labels that its requirements select', () => {
    const selector = fc.array(fc.oneof(requirement, limit), { maxLength: 4 });
    fc.assert(
      fc.property(selector, labels, (requirements, given) => {
        const long = [...requirements, ...filler] as LabelSelector; // operators are plain strings
        expect(labelMatcher(long)(given)).toBe(matchesLabels(long, given));
      }),
      { numRuns: 2_000 },
    );
  });

  it('selects the fields that its requirements select', () => {
    const one = fc.record({ field: key, operator: fc.constantFrom('=', '!='), value });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 3 }), labels, (requirements, fields) => {
        const long = [
          ...requirements,
          ...Array.from({ length: 40 }, () => ({ field: 'z', operator: '!=', value: 'x' })),
        ];
        const selector = long as Parameters<typeof matchesFields>[0]; // operators are plain strings
        expect(fieldMatcher(selector)(fields)).toBe(matchesFields(selector, fields));
      }),
      { numRuns: 2_000 },
    );
  });

  const many = Array.from({ length: 100_000 }, (_, index) => String(index));
  it.each<readonly [string, LabelSelector, boolean]>([
    ['in', [{ key: 'a', operator: 'in', values: many }], true],
    ['!', many.map((each) => ({ key: `k${each}`, operator: '!', values: [] })), true],
    ['!=', many.map((each) => ({ key: 'a', operator: '!=', values: [`v${each}`] })), true],
    ['>', many.map((each) => ({ key: 'a', operator: '>', values: [each] })), false],
  ])('of 100,000 parts (%s) matches 10,000 objects quickly', (_, selector, expected) => {
    const startMs = performance.now();
    const matches = labelMatcher(selector);
    for (let index = 0; index < 10_000; index += 1) expect(matches({ a: '99999' })).toBe(expected);
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });
});
