import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSlices, sliceOfRound, TimeSlice } from './time-slice.ts';

const busy = (ms: number): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

test('a time slice is over after a few milliseconds, and the next one starts afresh', async () => {
  const timeSlice = new TimeSlice();
  expect(timeSlice.isOver).toBe(false);
  busy(6);
  expect(timeSlice.isOver).toBe(true);
  await timeSlice.next();
  expect(timeSlice.isOver).toBe(false);
});

test('other work runs between the timeSlice of long works, however many there are', async () => {
  let rounds = 0;
  let running = true;
  const count = (): void => {
    rounds += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    const timeSlice = new TimeSlice();
    for (let piece = 0; piece < 3; piece += 1) {
      await timeSlice.next();
      order.push(name);
    }
  };
  await Promise.all([work('a'), work('b'), work('c')]);
  running = false;
  expect(order.join('')).toBe('abcabcabc');
  expect(rounds).toBeGreaterThanOrEqual(order.length - 1);
});

test('short pieces of work share a time slice, in each round of the event loop', async () => {
  await nextRound();
  const first = sliceOfRound();
  expect(sliceOfRound()).toBe(first);
  await nextRound();
  expect(sliceOfRound()).not.toBe(first);
  await nextRound();
});

test('other work runs while many items are worked on', async () => {
  let others = 0;
  const other = setInterval(() => (others += 1), 0);
  const results = await inSlices([1, 2, 3, 4], (item) => {
    busy(6);
    return item * others;
  });
  clearInterval(other);
  expect(results[0]).toBe(0);
  expect(results[3]).toBeGreaterThan(0);
});
