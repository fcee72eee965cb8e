import { expect, test } from 'vitest';
import { HighMarks } from './high-marks.ts';

function open() {
  let nowMs = 5_000;
  const marks = new HighMarks(() => nowMs);
  const at = (ms: number): readonly [mutating: number, readOnly: number] => {
    nowMs = ms;
    return [marks.ofLastSecond('mutating'), marks.ofLastSecond('readOnly')];
  };
  return { marks, at };
}

test('the highest number of the last whole second is told, also of what has ended', () => {
  const { marks, at } = open();
  at(5_000);
  for (const by of [1, 1, -1, 1, -1, -1] as const) marks.changes('readOnly', by);
  marks.changes('mutating', 1);
  expect(at(5_999)).toEqual([0, 0]);
  expect(at(6_000)).toEqual([1, 2]);
  expect(at(6_999)).toEqual([1, 2]);
});

test('a second without changes is zero, and one with changes begins with the first of them', () => {
  const { marks, at } = open();
  at(5_000);
  for (let count = 0; count < 3; count += 1) marks.changes('mutating', 1);
  expect(at(6_500)).toEqual([3, 0]);
  expect(at(7_500)).toEqual([0, 0]);
  marks.changes('mutating', -1);
  expect(at(8_500)).toEqual([2, 0]);
  marks.changes('mutating', 1);
  expect(at(10_500)).toEqual([0, 0]);
});
