import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../api/clock.ts';
import { conflict } from '../api/status-errors.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

const errors: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  errors.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

function queueOf(work: WorkQueueOptions['work'], workers = 2): WorkQueue {
  return new WorkQueue({ work, workers, clock: systemClock, onError: (error) => errors.push(error) });
}

test('nothing is worked on before the start, then each key once', async () => {
  const worked: string[] = [];
  await using queue = queueOf(async (key) => void worked.push(key));
  for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
  await vi.runAllTimersAsync();
  expect(worked).toEqual([]);
  queue.start();
  await vi.runAllTimersAsync();
  expect(worked).toEqual(['a', 'b', 'c']);
});

test('a key that is added while it is worked on is worked on once more, not twice at a time', async () => {
  let running = 0;
  let runs = 0;
  await using queue = queueOf(async () => {
    expect(++running).toBe(1);
    runs++;
    await new Promise((resolve) => setTimeout(resolve, 10));
    running--;
  });
  queue.start();
  queue.add('a');
  await vi.advanceTimersByTimeAsync(1);
  queue.add('a');
  queue.add('a');
  await vi.runAllTimersAsync();
  expect(runs).toBe(2);
});

test('no more keys are worked on at a time than there are workers', async () => {
  let running = 0;
  let most = 0;
  await using queue = queueOf(async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 10));
    running--;
  }, 3);
  queue.start();
  for (let i = 0; i < 10; i++) queue.add(String(i));
  await vi.runAllTimersAsync();
  expect(most).toBe(3);
});

test('what fails is worked on again, later each time; conflicts are not told', async () => {
  const at: number[] = [];
  const begin = Date.now();
  await using queue = queueOf(async () => {
    at.push(Date.now() - begin);
    if (at.length === 1) throw new Error('broken');
    if (at.length < 5) throw conflict({ group: '', resource: 'pods' }, 'a', 'changed');
  });
  queue.start();
  queue.add('a');
  await vi.runAllTimersAsync();
  expect(at).toEqual([0, 5, 15, 35, 75]);
  expect(errors).toEqual([new Error('broken')]);
});

test('what is stopped works no more, and has ended what it was working on', async () => {
  let ended = false;
  const queue = queueOf(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    ended = true;
  }, 1);
  queue.start();
  queue.add('a');
  queue.add('b');
  const stopped = queue[Symbol.asyncDispose]();
  await vi.runAllTimersAsync();
  await stopped;
  queue.add('c');
  queue.addAfter('d', 5);
  expect(ended).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
