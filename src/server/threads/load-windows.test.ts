import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type LoadReading, LoadWindows } from './load-windows.ts';

const windowMs = 100;

let readings: Map<string, LoadReading>;
let reads = 0;
let windows: ReadonlyMap<string, number>[];
let load: LoadWindows<string>;

beforeEach(() => {
  vi.useFakeTimers();
  readings = new Map([['main', { active: 0, idle: 0 }]]);
  reads = 0;
  windows = [];
  load = new LoadWindows({
    windowMs,
    read() {
      reads += 1;
      return new Map(readings);
    },
    onWindow: (busy) => void windows.push(busy),
  });
});

afterEach(() => void vi.useRealTimers());

it('does nothing until there is a request, and stops when there is none any more', () => {
  expect(vi.getTimerCount()).toBe(0);
  load.noteRequest();
  load.noteRequest();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(windowMs);
  expect(windows).toHaveLength(1);
  vi.advanceTimersByTime(windowMs);
  expect(windows).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
  const before = reads;
  vi.advanceTimersByTime(100 * windowMs);
  expect(reads).toBe(before);
  load.noteRequest();
  expect(vi.getTimerCount()).toBe(1);
});

it('goes on while there are requests', () => {
  for (let window = 0; window < 5; window += 1) {
    load.noteRequest();
    vi.advanceTimersByTime(windowMs);
  }
  expect(windows).toHaveLength(5);
});

it('tells the share of each window in which a thread was busy', () => {
  readings.set('main', { active: 1_000, idle: 5_000 });
  load.noteRequest();
  readings.set('main', { active: 1_075, idle: 5_025 });
  readings.set('later', { active: 10, idle: 0 });
  vi.advanceTimersByTime(windowMs);
  expect(windows).toEqual([new Map([['main', 0.75]])]);
  load.noteRequest();
  readings.set('main', { active: 1_075, idle: 5_125 });
  readings.set('later', { active: 110, idle: 0 });
  vi.advanceTimersByTime(windowMs);
  expect(windows.at(-1)).toEqual(
    new Map([
      ['main', 0],
      ['later', 1],
    ]),
  );
  load.noteRequest();
  readings.delete('later');
  vi.advanceTimersByTime(windowMs);
  expect([...(windows.at(-1)?.keys() ?? [])]).toEqual(['main']);
});

it('does nothing any more when it is disposed of', () => {
  load.noteRequest();
  load[Symbol.dispose]();
  load.noteRequest();
  vi.advanceTimersByTime(10 * windowMs);
  expect(windows).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
