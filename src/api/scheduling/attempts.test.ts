import { expect, test } from 'vitest';
import { Attempts } from './attempts.ts';

function open(random = 0) {
  const state = { nowMs: 0, told: [] as string[] };
  const attempts = new Attempts({
    firstMs: 100,
    longestMs: 3e4,
    now: () => state.nowMs,
    random: () => random,
    onError: (error) => state.told.push(String(error)),
  });
  const delays = (count: number): readonly number[] =>
    Array.from({ length: count }, () => {
      const delayMs = attempts.delayMs();
      state.nowMs += delayMs;
      return delayMs;
    });
  return { attempts, delays, state };
}

test('each waits twice as long as the one before, up to a limit', () => {
  const { delays } = open();
  expect(delays(11)).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
});

test('up to as long again is added at random', () => {
  expect(open(0.5).delays(3)).toEqual([150, 300, 600]);
  expect(open(1).delays(11).at(-1)).toBe(60_000);
});

test('who needed no other attempt for long, or is told to, begins anew', () => {
  const { attempts, delays, state } = open();
  delays(5);
  state.nowMs += 120_000;
  expect(delays(1)).toEqual([3_200]);
  state.nowMs += 120_001;
  expect(delays(2)).toEqual([100, 200]);
  attempts.startOver();
  expect(delays(2)).toEqual([100, 200]);
});

test('an error is told again only after another one, or a success', () => {
  const { attempts, state } = open();
  for (const text of ['a', 'a', 'b', 'b', 'a']) attempts.failed(new Error(text));
  attempts.succeeded();
  attempts.failed(new Error('a'));
  expect(state.told).toEqual(['Error: a', 'Error: b', 'Error: a', 'Error: a']);
});
