import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { LineSender } from './line-sender.ts';
import { LogMemory } from './log-connection.ts';
import { OrderedLines } from './ordered-lines.ts';

/** `now`: by the machine's clock. */
function begun(now: () => number = () => 0) {
  const written: string[] = [];
  const output = { write: ({ text }: { readonly text: string }) => void written.push(text), flush: () => undefined };
  const lines = new OrderedLines(LogMemory.make(4, 0), output, now);
  return {
    written,
    lines,
    senders: [1, 2].map((thread) => new LineSender(lines.connect(thread))) as [LineSender, LineSender],
  };
}

const line = (text: string, machineMs: number, severity: 'info' | 'error' = 'info') =>
  ({ severity, text, isInfo: true, machineMs }) as const;

test('lines of several threads are written in the order in which they were told', async () => {
  const { written, lines, senders } = begun();
  const [a, b] = senders;
  a.write(line('a1', 1));
  lines.write(line('own', 2));
  b.write(line('b1', 3));
  a.write(line('a2', 4));
  expect(written).toEqual([]);
  await expect.poll(() => written).toEqual(['a1', 'own', 'b1', 'a2']);
});

test('what is older than all that others may still send is not held', async () => {
  const { written, lines, senders } = begun();
  const [a] = senders;
  lines.write(line('older', 1));
  a.announce();
  await turn();
  await turn();
  // It could have been told before.
  expect(written).toEqual([]);
  a.write(line('a', 2));
  lines.write(line('error', 3, 'error'));
  expect(written).toEqual(['older']);
  await expect.poll(() => written).toEqual(['older', 'a', 'error']);
});

test('an error is written at once if no thread has told anything before', () => {
  const { written, lines, senders } = begun();
  senders[0].write(line('a', 2));
  lines.write(line('info', 1));
  lines.write(line('error', 1.5, 'error'));
  expect(written).toEqual(['info', 'error']);
});

test('a thread that does not get to sending its lines holds each of those of others for a while only', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let nowMs = 0;
    const { written, lines, senders } = begun(() => nowMs);
    const pass = (ms: number): void => {
      nowMs += ms;
      vi.advanceTimersByTime(ms);
    };
    senders[0].announce();
    lines.write(line('first', 0));
    await turn();
    await turn();
    pass(500);
    lines.write(line('second', 500));
    await turn();
    await turn();
    pass(499);
    expect(written).toEqual([]);
    pass(2);
    expect(written).toEqual(['first']);
    pass(500);
    expect(written).toEqual(['first', 'second']);
  } finally {
    vi.useRealTimers();
  }
});

test('nothing is waited for of a thread that has ended, and what it had sent is written', () => {
  const { written, lines, senders } = begun();
  const [a, b] = senders;
  a.write(line('sent', 1, 'error'));
  b.announce();
  lines.write(line('own', 2));
  lines.disconnect(2);
  lines.disconnect(1);
  expect(written).toEqual(['sent', 'own']);
});
