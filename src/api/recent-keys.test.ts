import { expect, test } from 'vitest';
import { RecentKeys } from './recent-keys.ts';

test('drops the key that was noted the longest time ago', () => {
  const dropped: string[] = [];
  const keys = new RecentKeys(2, (key) => dropped.push(key));
  for (const key of ['a', 'b', 'a', 'c']) keys.note(key);
  expect(dropped).toEqual(['b']);
  keys.delete('a');
  keys.note('d');
  expect(dropped).toEqual(['b']);
  keys.note('e');
  expect(dropped).toEqual(['b', 'c']);
});
