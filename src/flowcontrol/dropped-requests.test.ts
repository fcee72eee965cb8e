import { expect, test } from 'vitest';
import { DroppedRequests } from './dropped-requests.ts';

/** Refused requests in each second, and the answer to the last one. */
function retryAfterOf(...perSecond: number[]): number[] {
  const dropped = new DroppedRequests();
  return perSecond.flatMap((count, second) => {
    const noted = Array.from({ length: count }, () => dropped.note('level', (100 + second) * 1_000));
    return noted.slice(-1);
  });
}

test('few refusals do not keep anybody away longer', () => {
  expect(retryAfterOf(1, 2, 2, 1)).toEqual([1, 1, 1, 1]);
});

test('many double the time, once in its own length', () => {
  expect(retryAfterOf(5, 10, 20, 20, 20, 20, 20, 20)).toEqual([1, 2, 2, 4, 4, 4, 4, 8]);
});

test('it falls by a second when there are few again', () => {
  expect(retryAfterOf(5, 10, 20, 1, 0, 0, 0, 1, 0, 0, 0, 1)).toEqual([1, 2, 2, 4, 3, 2]);
});

test('levels do not share it', () => {
  const dropped = new DroppedRequests();
  for (let second = 0; second < 5; second += 1) for (let n = 0; n < 9; n += 1) dropped.note('a', second * 1_000);
  expect(dropped.note('b', 5_000)).toBe(1);
});

test('half a minute is the most', () => {
  const many = Array.from({ length: 120 }, () => 200);
  expect(Math.max(...retryAfterOf(...many))).toBe(32);
});
