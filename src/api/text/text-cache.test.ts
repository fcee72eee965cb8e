import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TextCache } from './text-cache.ts';

test('what has not been used for longest is evicted when there are too many characters', () => {
  const cache = new TextCache<number>(20);
  cache.set('aaaa', 1);
  cache.set('bbbb', 2);
  cache.set('aaaa', 3);
  expect(cache.get('aaaa')).toBe(1);
  cache.set('cccc', 4);
  expect(cache.get('aaaa')).toBe(1);
  cache.set('dddd', 5);
  expect(['aaaa', 'bbbb', 'cccc', 'dddd'].map((text) => cache.get(text))).toEqual([1, undefined, 4, 5]);
});

test('what nobody uses for some time goes with later additions', async () => {
  const cache = new TextCache<number>(1000, 0);
  for (const [text, value] of [
    ['aaaa', 1],
    ['bbbb', 2],
    ['cccc', 3],
  ] as const) {
    cache.set(text, value);
    await sleep(1);
  }
  expect([cache.get('cccc'), cache.get('aaaa')]).toEqual([3, undefined]);
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
