import { expect, test } from 'vitest';
import { TextCache } from './text-cache.ts';

test('the oldest texts go when there are too many characters', () => {
  const cache = new TextCache<number>(10);
  cache.set('aaaa', 1);
  cache.set('bbbb', 2);
  cache.set('aaaa', 3);
  expect(cache.get('aaaa')).toBe(1);
  cache.set('cccc', 4);
  expect([cache.get('aaaa'), cache.get('bbbb'), cache.get('cccc')]).toEqual([undefined, 2, 4]);
});

test('texts without end are not kept', () => {
  const cache = new TextCache<number>(1_000_000);
  cache.set('a'.repeat(20_000), 1);
  expect(cache.get('a'.repeat(20_000))).toBeUndefined();
});
