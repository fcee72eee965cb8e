import { expect, it } from 'vitest';
import { sortedInTurns } from './sorted-in-turns.ts';
import { finish } from './turns.ts';

interface Item {
  readonly key: number;
  readonly index: number;
}

it.each([0, 1, 511, 512, 513, 5_000])('sorts %d items like `sort`, stably', (count) => {
  const items = Array.from({ length: count }, (_, index): Item => ({ key: (index * 7919) % 997, index }));
  const compare = (a: Item, b: Item): number => a.key - b.key;
  expect(finish(sortedInTurns(items, compare))).toEqual([...items].sort(compare));
});

it('pauses', () => {
  const items = Array.from({ length: 50_000 }, (_, index) => (index * 7919) % 50_000);
  const pauses = [...sortedInTurns(items, (a, b) => a - b)];
  expect(pauses.length).toBeGreaterThan(200);
});
