import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { scheduleBookmarks } from './watch-bookmarks.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** When bookmarks are due in a watch of this duration, in seconds. */
function times(timeoutSeconds: number): number[] {
  const due: number[] = [];
  scheduleBookmarks(timeoutSeconds * 1000, () => due.push(performance.now() / 1000));
  vi.advanceTimersByTime(timeoutSeconds * 1000);
  return due;
}

it('bookmarks are due about every minute, and two seconds before the end', () => {
  const due = times(200);
  expect(due.map((seconds) => Math.floor(seconds / 60))).toEqual([1, 2, 3, 3]);
  expect(due.at(-1)).toBeCloseTo(198, 1);
  expect(due[0]).toBeLessThan(61.25);
});

it('a short watch has one, a very short one none', () => {
  expect(times(4)).toHaveLength(1);
  expect(times(2)).toEqual([]);
});

it('a watch that has ended has none', () => {
  const due: number[] = [];
  const stop = scheduleBookmarks(600_000, () => due.push(performance.now()));
  vi.advanceTimersByTime(70_000);
  stop();
  vi.advanceTimersByTime(500_000);
  expect(due).toHaveLength(1);
});
