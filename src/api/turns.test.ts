import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const busy = (ms: number): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

test('a turn is over after a few milliseconds, and the next one starts afresh', async () => {
  const turns = new Turns();
  expect(turns.isOver).toBe(false);
  busy(6);
  expect(turns.isOver).toBe(true);
  await turns.next();
  expect(turns.isOver).toBe(false);
});

test('other work runs between the turns of long works, however many there are', async () => {
  let rounds = 0;
  let running = true;
  const count = (): void => {
    rounds += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    const turns = new Turns();
    for (let piece = 0; piece < 3; piece += 1) {
      await turns.next();
      order.push(name);
    }
  };
  await Promise.all([work('a'), work('b'), work('c')]);
  running = false;
  expect(order.join('')).toBe('abcabcabc');
  expect(rounds).toBeGreaterThanOrEqual(order.length - 1);
});
