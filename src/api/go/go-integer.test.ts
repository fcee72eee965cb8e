import { expect, it } from 'vitest';
import { int64Problem, uint64Problem } from './go-integer.ts';

it.each([
  ['0', undefined, undefined],
  ['-0', undefined, 'invalid syntax'],
  ['+7', undefined, 'invalid syntax'],
  ['', 'invalid syntax', 'invalid syntax'],
  ['1_000', 'invalid syntax', 'invalid syntax'],
  ['9223372036854775807', undefined, undefined],
  ['9223372036854775808', 'value out of range', undefined],
  ['-9223372036854775808', undefined, 'invalid syntax'],
  ['-9223372036854775809', 'value out of range', 'invalid syntax'],
  ['18446744073709551615', 'value out of range', undefined],
  ['18446744073709551616', 'value out of range', 'value out of range'],
])('%j', (text, signed, unsigned) => {
  expect([int64Problem(text), uint64Problem(text)]).toEqual([signed, unsigned]);
});

it.each([
  ['9'.repeat(3_000_000), 'value out of range'],
  [`${'0'.repeat(3_000_000)}1`, undefined],
  [`${'0'.repeat(3_000_000)}x`, 'invalid syntax'],
])('millions of digits take linear time', (text, problem) => {
  const startMs = performance.now();
  expect([int64Problem(text), uint64Problem(text)]).toEqual([problem, problem]);
  expect(performance.now() - startMs).toBeLessThan(10_000);
});
