import { expect, test } from 'vitest';
import { goDurationOf, goTimeOf } from './go-times.ts';
import { tabTable } from './tab-table.ts';

test('columns are at least eight wide, and the last one is not padded', () => {
  expect(
    tabTable([
      ['PriorityLevelName,', 'Index,', 'Sum'],
      ['a,', '0,', ''],
      ['b,', '123456789,', '1'],
    ]),
  ).toBe('PriorityLevelName, Index,     Sum\na,                 0,         \nb,                 123456789, 1\n');
});

test('times and durations are printed as Go prints them', () => {
  expect(goTimeOf(1_764_366_979_410.855)).toBe('2025-11-28T21:56:19.41085498Z');
  expect(goTimeOf(1_764_366_979_000)).toBe('2025-11-28T21:56:19Z');
  expect([0, 7.5, 50].map(goDurationOf)).toEqual(['0s', '7.5ms', '50ms']);
});
