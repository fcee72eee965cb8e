import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { awaited, inTurns, Turns, turnIsUsed, type Work } from './turns.ts';

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

test('work catches what an awaited promise is rejected with', async () => {
  function* work(): Work<string> {
    try {
      return yield* awaited(Promise.reject<string>(new Error('no')));
    } catch (error) {
      return error instanceof Error ? `caught ${error.message}` : '';
    }
  }
  expect(await inTurns(work())).toBe('caught no');
});

test('short pieces of work use up a turn together, in each round of the event loop', async () => {
  await nextRound();
  expect([turnIsUsed(2), turnIsUsed(2), turnIsUsed(2)]).toEqual([false, false, true]);
  await nextRound();
  expect(turnIsUsed(2)).toBe(false);
  await nextRound();
});
