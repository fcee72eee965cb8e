import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { LogOutput } from './log-output.ts';

function written(infoBufferBytes = 0, isSplit = true) {
  const writes: string[] = [];
  const stream = (name: string) => ({ write: (text: string) => void writes.push(`${name}:${text}`) });
  const error = stream('error');
  const info = isSplit ? stream('info') : error;
  return { writes, output: new LogOutput({ info, error, infoBufferBytes, flushMs: 1_000 }) };
}

test('lines of one round of the event loop are written at once, in their order', async () => {
  const { writes, output } = written(0, false);
  output.write('info', 'a', true);
  output.write('warning', 'b', false);
  output.write('info', 'c', true);
  expect(writes).toEqual([]);
  await turn();
  await turn();
  expect(writes).toEqual(['error:abc']);
});

test('an error is written at once, after what came before', () => {
  const { writes, output } = written(0, false);
  output.write('info', 'a', true);
  output.write('error', 'b', false);
  expect(writes).toEqual(['error:ab']);
});

test('a buffer of info lines is written when it is full, or its time is over', () => {
  vi.useFakeTimers();
  try {
    const { writes, output } = written(5);
    output.write('info', 'aaa', true);
    output.write('info', 'bb', true);
    expect(writes).toEqual([]);
    output.write('info', 'c', true);
    expect(writes).toEqual(['info:aaabb']);
    output.write('info', 'dddddd', true);
    expect(writes).toEqual(['info:aaabb', 'info:c', 'info:dddddd']);
    output.write('info', 'e', true);
    output.write('error', 'f', false);
    expect(writes.slice(3)).toEqual(['error:f']);
    vi.advanceTimersByTime(1_000);
    expect(writes.slice(4)).toEqual(['info:e']);
  } finally {
    vi.useRealTimers();
  }
});
