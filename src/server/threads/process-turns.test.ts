import { expect, test } from 'vitest';
import { FairTurns } from '../../api/scheduling/turns.ts';
import { turnCalls } from './process-turns.ts';

const longestMs = 60_000;
const never = new Promise<void>(() => undefined);

test('threads have their turns one after the other', async () => {
  const turns = new FairTurns(longestMs);
  const [first, second] = [turnCalls(turns, never), turnCalls(turns, never)];
  const number = await first.takeTurn('key');
  let hasBegun = false;
  const taking = second.takeTurn('key').then((taken) => {
    hasBegun = true;
    return taken;
  });
  second.endTurn(number);
  await Promise.resolve();
  expect(hasBegun).toBe(false);
  first.endTurn(number);
  second.endTurn(await taking);
  using _third = await turns.take('key');
});

test('a thread that has ended has no turn, and gets none that it waited for', async () => {
  const turns = new FairTurns(longestMs);
  const ended = Promise.withResolvers<void>();
  const thread = turnCalls(turns, ended.promise);
  await thread.takeTurn('key');
  const waited = thread.takeTurn('key');
  const next = turns.take('key');
  ended.resolve();
  await waited;
  using _turn = await next;
});
