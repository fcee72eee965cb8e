import { expect, test } from 'vitest';
import { sortInTurns } from './sort-in-turns.ts';
import { finish } from './turns.ts';

test.each([0, 1, 2, 500, 501, 1000, 1001, 7777])(
  '%d items are sorted as toSorted does, equal ones in their order',
  (count) => {
    const items = Array.from({ length: count }, (_, i) => ({ key: (i * 7919) % 101, place: i }));
    const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
    expect(finish(sortInTurns(items, compare))).toEqual(items.toSorted(compare));
  },
);

test('pauses where there are many', () => {
  const work = sortInTurns(
    Array.from({ length: 50_000 }, (_, i) => 50_000 - i),
    (a, b) => a - b,
  );
  let pauses = 0;
  while (work.next().done !== true) pauses++;
  expect(pauses).toBeGreaterThan(400);
});
