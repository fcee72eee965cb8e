import { expect, test, vi } from 'vitest';
import { shareOf } from './share-of.ts';

test('of those that may end and are old enough, the first ones of a share end', () => {
  vi.spyOn(performance, 'now').mockReturnValue(20_000);
  const all = [1_000, undefined, 12_000, 9_999, 10_000, 10_001, 3];
  const taken = (share: number, minAgeMs: number) => shareOf(all, (openedMs) => openedMs, { share, minAgeMs });
  expect(taken(0.5, 10_000)).toEqual([1_000, 9_999]);
  expect(taken(1, 10_000)).toEqual([1_000, 9_999, 10_000, 3]);
  expect(taken(0.5, 0)).toEqual([1_000, 12_000, 9_999]);
  expect(taken(0.5, 19_000)).toEqual([1_000]);
  expect(taken(0.5, 19_500)).toEqual([]);
  vi.restoreAllMocks();
});
