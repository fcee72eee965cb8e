import { expect, test } from 'vitest';
import { MovableClock, systemClock } from '../time/clock.ts';
import { pauseOn } from './pause.ts';

const { signal } = new AbortController();
const hourMs = 3_600_000;

test('a pause ends when the clock has jumped over its end, or the signal aborts', async () => {
  const clock = new MovableClock();
  let isOver = false;
  const over = pauseOn(clock, hourMs, signal).then(() => (isOver = true));
  clock.advance(hourMs / 2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  clock.advance(hourMs / 2);
  await over;
  const stop = new AbortController();
  const stopped = pauseOn(clock, hourMs, stop.signal);
  stop.abort();
  await stopped;
  await pauseOn(systemClock, 1, signal);
});

test('a clock is only set forward', () => {
  const clock = new MovableClock(hourMs);
  expect(() => clock.advance(-1)).toThrow(RangeError);
  expect(() => clock.advance(Number.NaN)).toThrow('a clock cannot be advanced by NaN ms');
  const jumps: number[] = [];
  const following = clock.onJump((ms) => jumps.push(ms));
  clock.advance(5);
  following[Symbol.dispose]();
  clock.advance(7);
  expect(jumps).toEqual([5]);
  expect(clock.aheadMs).toBe(hourMs + 12);
});
