import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { conflict } from '../api/errors/status-errors.ts';
import { Metric, ObservableMetric } from '../api/metrics/metric.ts';
import { QueueMetrics } from './queue-metrics.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

const errors: unknown[] = [];
let metrics: Metric[] = [];
let queues: QueueMetrics;

beforeEach(() => {
  vi.useFakeTimers();
  errors.length = 0;
  metrics = [];
  queues = new QueueMetrics((definition, read) => {
    const metric = read === undefined ? new Metric(definition) : new ObservableMetric(definition, read);
    metrics.push(metric);
    return metric;
  });
});

afterEach(() => {
  vi.useRealTimers();
});

function queueOf(work: WorkQueueOptions['work'], workers = 2): WorkQueue {
  return new WorkQueue({
    work,
    workers,
    metric: queues.of('tested'),
    onError: (error) => errors.push(error),
  });
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

test('metrics tell what waits, what is worked on, for how long, and what is tried again', async () => {
  const numbers = (): { readonly [name: string]: number } =>
    Object.fromEntries(
      metrics.flatMap(({ definition: { name, type }, values }) =>
        Array.from(values, ({ labels, value, count }) => {
          expect(labels).toEqual({ name: 'tested' });
          return [name.replace(/^workqueue_/, ''), type === 'histogram' ? count : value] satisfies [string, number];
        }),
      ),
    );
  let fails = true;
  await using queue = queueOf(async () => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    if (fails) throw new Error('not yet');
  }, 1);
  const idle = { depth: 0, adds_total: 0, retries_total: 0, queue_duration_seconds: 0, work_duration_seconds: 0 };
  const still = { unfinished_work_seconds: 0, longest_running_processor_seconds: 0 };
  expect(numbers()).toEqual({ ...idle, ...still });
  for (const key of ['a', 'b', 'a']) queue.add(key);
  expect(numbers()).toEqual({ ...idle, ...still, depth: 2, adds_total: 2 });
  queue.start();
  await vi.advanceTimersByTimeAsync(1000);
  const first = { depth: 1, adds_total: 2, queue_duration_seconds: 1 };
  expect(numbers()).toEqual({ ...idle, ...first, unfinished_work_seconds: 1, longest_running_processor_seconds: 1 });
  fails = false;
  await vi.runAllTimersAsync();
  const all = { adds_total: 2, queue_duration_seconds: 2, work_duration_seconds: 2 };
  expect(numbers()).toEqual({ ...idle, ...still, ...all });
  fails = true;
  queue.add('c');
  await vi.advanceTimersByTimeAsync(2001);
  expect(numbers()['retries_total']).toBe(1);
});

test('keys whose work waits for nothing leave the event loop to others', async () => {
  vi.useRealTimers();
  let done = 0;
  const count = 40;
  const { promise, resolve } = Promise.withResolvers<void>();
  await using queue = queueOf(async () => {
    for (const endMs = performance.now() + 2; performance.now() < endMs;);
    done += 1;
    if (done === count) resolve();
  }, 1);
  for (let key = 0; key < count; key++) queue.add(String(key));
  const seen: number[] = [];
  const look = (): void => {
    seen.push(done);
    if (done < count) setImmediate(look);
  };
  setImmediate(look);
  queue.start();
  await promise;
  expect(Math.max(...seen.map((now, at) => now - (seen[at - 1] ?? 0)))).toBeLessThan(count / 2);
});

test('keys are begun in the order in which they were added, however long they take', async () => {
  vi.useRealTimers();
  const begun: string[] = [];
  const count = 60;
  const { promise, resolve } = Promise.withResolvers<void>();
  await using queue = queueOf(async (key) => {
    begun.push(key);
    for (const endMs = performance.now() + 1; performance.now() < endMs;);
    await new Promise((done) => setImmediate(done));
    if (begun.length === count) resolve();
  }, 32);
  const keys = Array.from({ length: count }, (_, index) => String(index));
  queue.start();
  for (const key of keys.slice(0, count / 2)) queue.add(key);
  for (const key of keys.slice(count / 2)) {
    await new Promise((done) => setImmediate(done));
    queue.add(key);
  }
  await promise;
  expect(begun).toEqual(keys);
});
