import { expect, test } from 'vitest';
import { type JsonTree, plainNumber, plainOf, plainSource } from './json-tree.ts';
import type { JsonValue } from './json.ts';

function pausesOf(value: JsonValue): { readonly pauses: number; readonly tree: JsonTree | undefined } {
  const work = plainSource(value).readTree?.();
  for (let pauses = 0; ; pauses += 1) {
    const step = work?.next();
    if (step === undefined || step.done === true) return { pauses, tree: step?.value };
  }
}

test('the tree of plain data is the same with pauses and without', () => {
  const value = { a: [1, 0, 2n ** 60n, null, true, 'x', [], {}], ['__proto__']: { b: [{ c: 1 }] } };
  const { tree } = pausesOf(value);
  expect(tree).toEqual(plainSource(value).tree());
  expect(plainOf(tree ?? null)).toEqual(value);
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

test('pauses are proportional to the number of members', () => {
  const members = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`a${n}`, n]));
  expect(pausesOf(members).pauses).toBe(50);
  expect(pausesOf(Object.values(members)).pauses).toBe(50);
});
