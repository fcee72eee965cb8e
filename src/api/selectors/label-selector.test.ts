import { describe, expect, it } from 'vitest';
import { formatLabelSelector, selectorOfObject } from './label-selector-object.ts';
import { matchesLabels, parseLabelSelector } from './label-selector.ts';

const objects: { readonly [name: string]: { readonly [key: string]: string } } = {
  a: {},
  b: { x: '1' },
  c: { x: '2', y: 'a' },
  d: { x: '', y: 'b' },
  e: { x: 'a-b', 'q/w': 'z' },
  f: { y: '10' },
  h: { in: 'notin' },
};

// What the reference selected among these objects.
it.each([
  ['', 'abcdefh'],
  ['x', 'bcde'],
  ['!x', 'afh'],
  ['x=1', 'b'],
  ['x==2', 'c'],
  ['x!=1', 'acdefh'],
  ['x=', 'd'],
  ['x in ()', 'd'],
  ['x in (,)', 'd'],
  ['x in (a-b, 1)', 'be'],
  ['y notin (a, b)', 'abefh'],
  ['y>1', 'f'],
  ['y<5', ''],
  ['in=notin', 'h'],
  ['in in (notin)', 'h'],
  ['q/w=z', 'e'],
] as const)('%j selects %s', (text, expected) => {
  const selector = parseLabelSelector(text);
  const selected = Object.keys(objects).filter((name) => matchesLabels(selector, objects[name] ?? {}));
  expect(selected.join('')).toBe(expected);
});

// Recorded from the reference.
it.each([
  ['x,', "found '', expected: identifier after ','"],
  ['x,,y', "found ',', expected: identifier after ','"],
  [',x', "found ',', expected: !, identifier, or 'end of string'"],
  ['notin 1', "unable to parse requirement: found '1', expected: in, notin, =, ==, !=, gt, lt"],
  ['x in a', "unable to parse requirement: found 'a' expected: '('"],
  [
    'a'.repeat(64),
    `unable to parse requirement: <nil>: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 bytes`,
  ],
  [
    'x>a',
    `unable to parse requirement: values[0]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
])('%j is refused', (text, message) => {
  expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining({ message }));
});

describe('a LabelSelector object', () => {
  it('has a query form', () => {
    const selector = selectorOfObject({
      matchLabels: { b: '1', a: '2' },
      matchExpressions: [
        { key: 'd', operator: 'In', values: ['y', 'x', 'y'] },
        { key: 'c', operator: 'DoesNotExist' },
        { key: 'e', operator: 'NotIn', values: ['z'] },
        { key: 'f', operator: 'Exists' },
      ],
    });
    const text = 'a=2,b=1,!c,d in (x,y),e notin (z),f';
    expect(formatLabelSelector(selector ?? [])).toBe(text);
    expect(formatLabelSelector(parseLabelSelector(text))).toBe(text);
  });

  it('selects nothing when absent and everything when empty', () => {
    expect(selectorOfObject(undefined)).toBeUndefined();
    expect(selectorOfObject({})).toEqual([]);
  });

  it('must have known operators', () => {
    expect(() => selectorOfObject({ matchExpressions: [{ key: 'a', operator: 'Gt' }] })).toThrow(
      '"Gt" is not a valid label selector operator',
    );
  });
});
