import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairTurns } from './turns.ts';

const longestMs = 60_000;

test('one has the turn, the others follow in order', async () => {
  const turns = new FairTurns(longestMs);
  const begun: string[] = [];
  const take = async (name: string): Promise<void> => {
    using _turn = await turns.take('key');
    begun.push(`${name} begins`);
    await sleep(1);
    begun.push(`${name} ends`);
  };
  await Promise.all([take('a'), take('b'), take('c')]);
  expect(begun).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('keys are independent of each other', async () => {
  const turns = new FairTurns(longestMs);
  using _first = await turns.take('a');
  using _second = await turns.take('b');
});

test('a turn that lasts too long is over, and its end says nothing about the next one', async () => {
  const turns = new FairTurns(5);
  const late = await turns.take('key');
  const next = await turns.take('key');
  let hasBegun = false;
  const third = turns.take('key').then((turn) => {
    hasBegun = true;
    return turn;
  });
  late[Symbol.dispose]();
  await Promise.resolve();
  expect(hasBegun).toBe(false);
  next[Symbol.dispose]();
  (await third)[Symbol.dispose]();
});

test('one that has ended is not waited for', async () => {
  const turns = new FairTurns(longestMs);
  (await turns.take('key'))[Symbol.dispose]();
  (await turns.take('key'))[Symbol.dispose]();
});
