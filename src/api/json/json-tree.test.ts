import { expect, test } from 'vitest';
import { plainNumber, plainOf, plainSource } from './json-tree.ts';

test('plain data are what is read from their tree', () => {
  const value = { a: [1, 0, 2n ** 60n, null, true, 'x', [], {}], ['__proto__']: { b: [{ c: 1 }] } };
  expect(plainOf(plainSource(value).tree())).toEqual(value);
});

test.each<readonly [text: string, value: number]>([
  ['-0', 0],
  ['0', 0],
  ['-0.0', -0],
  ['-0e0', -0],
  ['0.0', 0],
  ['-1e-400', -0],
])('%s is %d: only floats have a sign of zero', (text, value) => {
  expect(Object.is(plainNumber(text), value)).toBe(true);
});
