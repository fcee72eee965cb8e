import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MovableClock } from '../api/time/clock.ts';
import { Deadlines } from './deadlines.ts';

const received: string[] = [];
let deadlines: Deadlines;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  received.length = 0;
  deadlines = new Deadlines((key) => received.push(key));
});

afterEach(() => {
  deadlines[Symbol.dispose]();
  vi.useRealTimers();
});

test('keys are told when they are due, in that order, by one timer', () => {
  for (const ms of [50, 20, 90, 10, 70, 30]) deadlines.set(`at ${ms}`, ms);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(45);
  expect(received).toEqual(['at 10', 'at 20', 'at 30']);
  vi.advanceTimersByTime(45);
  expect(received.slice(3)).toEqual(['at 50', 'at 70', 'at 90']);
  expect(vi.getTimerCount()).toBe(0);
});

test('the earlier of two times counts, and a key is told once', () => {
  deadlines.set('a', 50);
  deadlines.set('a', 20);
  deadlines.set('a', 80);
  vi.advanceTimersByTime(100);
  expect(received).toEqual(['a']);
});

test('what is cleared is not told', () => {
  deadlines.set('a', 10);
  deadlines.clear('a');
  vi.advanceTimersByTime(100);
  expect(received).toEqual([]);
});

test('times that timers cannot wait for are waited for', () => {
  const months = 100 * 86_400_000;
  deadlines.set('a', months);
  vi.advanceTimersByTime(months - 1);
  expect(received).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(received).toEqual(['a']);
});

test("the system's clock may be set meanwhile", () => {
  deadlines.set('a', 50);
  vi.setSystemTime(-3_600_000);
  vi.advanceTimersByTime(50);
  expect(received).toEqual(['a']);
});

test('what a jump of the clock passes over is due', () => {
  const clock = new MovableClock();
  using jumping = new Deadlines((key) => received.push(key), clock);
  jumping.set('early', 1_000);
  jumping.set('late', 5_000);
  clock.advance(2_000);
  vi.advanceTimersByTime(1);
  expect(received).toEqual(['early']);
  jumping.set('next', 10);
  vi.advanceTimersByTime(10);
  expect(received).toEqual(['early', 'next']);
  vi.advanceTimersByTime(2_989);
  expect(received).toEqual(['early', 'next', 'late']);
});
