import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { CallPort } from './call-port.ts';

interface Functions {
  double(number: number): Promise<number>;
  fail(message: string): void;
  note(text: string): void;
}

/** The ends of a channel, whose second one has the functions. */
function connected(): { readonly near: CallPort<Functions>; readonly noted: unknown[]; readonly close: () => void } {
  const { port1, port2 } = new MessageChannel();
  const noted: unknown[] = [];
  const functions: Functions = {
    double: async (number) => 2 * number,
    fail(message) {
      throw new RangeError(message);
    },
    note: (text) => void noted.push(text),
  };
  const near = new CallPort<Functions>(port1, {}, (error) => noted.push(error));
  void new CallPort(port2, { ...functions }, (error) => noted.push(error));
  return { near, noted, close: () => port1.close() };
}

test('calls are answered, each with its own result, and fail with what the function throws', async () => {
  const { near, close } = connected();
  expect(await Promise.all([1, 2, 3].map((number) => near.call('double', number)))).toEqual([2, 4, 6]);
  await expect(near.call('fail', 'too far')).rejects.toThrow('too far');
  close();
});

test('calls arrive in the order they were made, whether somebody waits for them or not', async () => {
  const { near, noted, close } = connected();
  near.tell('note', 'first');
  near.tell('fail', 'second');
  await near.call('note', 'third');
  expect(noted).toEqual(['first', expect.objectContaining({ message: 'second' }), 'third']);
  close();
});

test('whoever waits for a thread that has ended is told so', async () => {
  const { near, close } = connected();
  const waiting = near.call('double', 1);
  near.close(new Error('it has ended'));
  await expect(waiting).rejects.toThrow('it has ended');
  await expect(near.call('double', 2)).rejects.toThrow('it has ended');
  close();
});
