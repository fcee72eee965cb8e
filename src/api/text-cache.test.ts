import { expect, test } from 'vitest';
import { TextCache } from './text-cache.ts';

test('the oldest entries are evicted when there are too many characters', () => {
  const cache = new TextCache<number>(10);
  cache.set('aaaa', 1);
  cache.set('bbbb', 2);
  cache.set('aaaa', 3);
  expect(cache.get('aaaa')).toBe(1);
  cache.set('cccc', 4);
  expect([cache.get('aaaa'), cache.get('bbbb'), cache.get('cccc')]).toEqual([undefined, 2, 4]);
});

test('cached results are not computed again', () => {
  const cache = new TextCache<number>(10);
  let made = 0;
  const make = (text: string): number => text.length + (made += 1);
  expect([cache.remember('aa', make), cache.remember('aa', make), made]).toEqual([3, 3, 1]);
});

test('oversized texts are not cached', () => {
  const cache = new TextCache<number>(1_000_000);
  cache.set('a'.repeat(20_000), 1);
  expect(cache.get('a'.repeat(20_000))).toBeUndefined();
});
