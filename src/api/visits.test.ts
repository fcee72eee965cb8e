import { expect, it } from 'vitest';
import { Visits } from './visits.ts';

type Tree = readonly Tree[] | number;

function sumOf(tree: Tree, visits: Visits, add: (value: number) => void): boolean {
  if (typeof tree === 'number') {
    add(tree);
    return true;
  }
  return visits.all(tree, (item) => void sumOf(item, visits, add));
}

function walk(tree: Tree): { readonly atOnce: boolean; readonly sum: number; readonly pauses: number } {
  const visits = new Visits();
  let sum = 0;
  const atOnce = sumOf(tree, visits, (value) => (sum += value));
  let pauses = 0;
  for (const _ of visits.rest()) pauses += 1;
  return { atOnce, sum, pauses };
}

const many = Array.from({ length: 50_000 }, () => 1);
const deep = Array.from({ length: 100_000 }).reduce<Tree>((inner) => [1, inner], 1);
const nested = Array.from({ length: 500 }, () => Array.from({ length: 100 }, () => 1));

it.each([
  ['a small value at once', [1, [2, 3], []], { atOnce: true, sum: 6, pauses: 0 }],
  ['a large list later, with pauses', many, { atOnce: false, sum: 50_000 }],
  ['many small lists, what is too much of them later', nested, { atOnce: true, sum: 50_000 }],
  ['what is nested too deeply for the stack', deep, { atOnce: true, sum: 100_001 }],
])('visits %s', (_, tree, expected) => {
  const result = walk(tree);
  expect(result).toMatchObject(expected);
  if (result.sum > 1_000) expect(result.pauses).toBeGreaterThan(400);
});

it.each([10, 10_000])('stops when a visitor asks to, and continues there: %d items', (length) => {
  const visits = new Visits();
  const seen: number[] = [];
  const late: boolean[] = [];
  const items = Array.from({ length }, (_, index) => index);
  visits.all(
    items,
    (item) => seen.push(item) < 3,
    (isLate) => late.push(isLate),
  );
  for (const _ of visits.rest()) expect(late).toEqual([]);
  expect(seen).toEqual([0, 1, 2]);
  expect(late).toEqual([length > 10]);
});
