import { expect, test } from 'vitest';
import { LruMap } from './lru-map.ts';

test('evicts the entry that was written or read the longest time ago', () => {
  const evicted: string[] = [];
  const map = new LruMap<string, number>(2, (key, value) => evicted.push(`${key}${value}`));
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect(evicted).toEqual(['b2']);
  expect(map.get('a')).toBe(3);
  map.set('d', 5);
  expect(evicted).toEqual(['b2', 'c4']);
  map.delete('a');
  map.set('e', 6);
  expect([...map]).toEqual([
    ['d', 5],
    ['e', 6],
  ]);
  expect(evicted).toHaveLength(2);
});
