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
  output.write({ severity: 'info', text: 'a', isInfo: true });
  output.write({ severity: 'warning', text: 'b', isInfo: false });
  output.write({ severity: 'info', text: 'c', isInfo: true });
  expect(writes).toEqual([]);
  await turn();
  await turn();
  expect(writes).toEqual(['error:abc']);
});

test('an error is written at once, after what came before', () => {
  const { writes, output } = written(0, false);
  output.write({ severity: 'info', text: 'a', isInfo: true });
  output.write({ severity: 'error', text: 'b', isInfo: false });
  expect(writes).toEqual(['error:ab']);
});

test('a buffer of info lines is written when it is full, or its time is over', () => {
  vi.useFakeTimers();
  try {
    const { writes, output } = written(5);
    output.write({ severity: 'info', text: 'aaa', isInfo: true });
    output.write({ severity: 'info', text: 'bb', isInfo: true });
    expect(writes).toEqual([]);
    output.write({ severity: 'info', text: 'c', isInfo: true });
    expect(writes).toEqual(['info:aaabb']);
    output.write({ severity: 'info', text: 'dddddd', isInfo: true });
    expect(writes).toEqual(['info:aaabb', 'info:c', 'info:dddddd']);
    output.write({ severity: 'info', text: 'e', isInfo: true });
    output.write({ severity: 'error', text: 'f', isInfo: false });
    expect(writes.slice(3)).toEqual(['error:f']);
    vi.advanceTimersByTime(1_000);
    expect(writes.slice(4)).toEqual(['info:e']);
  } finally {
    vi.useRealTimers();
  }
});
