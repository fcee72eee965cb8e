import { expect, test } from 'vitest';
import { choose, namesOf } from './row-choice.ts';
import { rows } from './row-table.ts';

test('rows come in the order of the table, whatever the order of their names', () => {
  expect(namesOf(choose(rows, ['watch', 'create', 'watch']))).toEqual(['create', 'watch']);
  expect(choose(rows, [])).toEqual(rows);
});

test('a name without a row is refused, with those that have one', () => {
  const two = rows.slice(0, 2);
  expect(() => choose(two, ['start', 'creat', 'watch'])).toThrow(
    'no such row: creat, watch; there are start, idle-rss',
  );
});

test('each name stands for one row, which measures something', () => {
  expect(new Set(namesOf(rows)).size).toBe(rows.length);
  for (const { name, ...ways } of rows) expect(Object.keys(ways), name).not.toEqual([]);
});
