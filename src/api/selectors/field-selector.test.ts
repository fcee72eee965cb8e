import { expect, it } from 'vitest';
import { matchesFields, parseFieldSelector, requiredValue } from './field-selector.ts';

it.each([
  ['', []],
  [',', []],
  ['=', []],
  ['metadata.name=a', [['metadata.name', '=', 'a']]],
  ['metadata.name==a,', [['metadata.name', '=', 'a']]],
  [
    'b!=x,a=',
    [
      ['a', '=', ''],
      ['b', '!=', 'x'],
    ],
  ],
  ['a=b\\,c\\=d\\\\e', [['a', '=', 'b,c=d\\e']]],
  [' a =b', [[' a ', '=', 'b']]],
] as const)('%j is read', (text, expected) => {
  expect(parseFieldSelector(text).map(({ field, operator, value }) => [field, operator, value])).toEqual(expected);
});

// Recorded from the reference.
it.each([
  ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
  ['metadata.name,(', "invalid selector: 'metadata.name,('; can't understand '('"],
  ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ['a=b\\x', 'invalid field selector: invalid escape sequence: \\x'],
])('%j is refused', (text, message) => {
  expect(() => parseFieldSelector(text)).toThrow(expect.objectContaining({ message }));
});

it('matches values, treating absent ones as empty', () => {
  const selector = parseFieldSelector('a=1,b!=2');
  expect(matchesFields(selector, { a: '1' })).toBe(true);
  expect(matchesFields(selector, { a: '1', b: '2' })).toBe(false);
  expect(requiredValue(selector, 'a')).toBe('1');
  expect(requiredValue(selector, 'b')).toBeUndefined();
});
