import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeSeatMemory, SharedSeats } from '../../flowcontrol/shared-seats.ts';
import { BodyBudget } from './body-budget.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The state of a possibly settled promise. */
async function stateOf(promise: Promise<void> | undefined): Promise<'taken' | 'waiting' | 'refused'> {
  if (promise === undefined) return 'taken';
  const waiting = Promise.resolve('waiting' as const);
  return Promise.race([
    promise.then(
      () => 'taken' as const,
      () => 'refused' as const,
    ),
    waiting.then(() => waiting).then(() => waiting),
  ]);
}

it('available room is taken at once, and released when the request ends', () => {
  const budget = new BodyBudget(100);
  const share = budget.share();
  expect(share.take(60)).toBeUndefined();
  expect(share.take(40)).toBeUndefined();
  expect(budget.takenBytes).toBe(100);
  share.release();
  share.release();
  expect(budget.takenBytes).toBe(0);
});

it('others wait in order of arrival', async () => {
  const budget = new BodyBudget(100);
  const [first, second, third] = [budget.share(), budget.share(), budget.share()];
  void first.take(80);
  const large = second.take(50);
  // It would fit, but came later.
  const small = third.take(10);
  expect([await stateOf(large), await stateOf(small)]).toEqual(['waiting', 'waiting']);
  first.release();
  await Promise.all([large, small]);
  expect(budget.takenBytes).toBe(60);
});

it('one that has waited too long is told to retry', async () => {
  const budget = new BodyBudget(100);
  void budget.share().take(100);
  const late = budget.share().take(1);
  const refused = expect(late).rejects.toMatchObject({
    status: {
      code: 429,
      message: 'Too many requests, please try again later.',
      details: { retryAfterSeconds: 1 },
    },
  });
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  expect(budget.takenBytes).toBe(100);
});

it('a request that ends while it waits takes nothing, and those behind it proceed', async () => {
  const budget = new BodyBudget(100);
  const [first, gone, last] = [budget.share(), budget.share(), budget.share()];
  void first.take(100);
  void gone.take(100);
  const waiting = last.take(100);
  gone.release();
  first.release();
  await waiting;
  expect(budget.takenBytes).toBe(100);
  last.release();
  expect(budget.takenBytes).toBe(0);
});

it('one body is always read, however small the budget', () => {
  const budget = new BodyBudget(10);
  const share = budget.share();
  expect(share.take(1_000)).toBeUndefined();
  share.release();
  expect(budget.takenBytes).toBe(0);
});

it('several threads have one budget: one waits until another has given room', async () => {
  vi.useRealTimers();
  const memory = makeSeatMemory();
  const [first, second] = [0, 1].map((thread) => {
    const [budget, pool] = [new BodyBudget(4096), new SharedSeats(memory, thread).poolOf('x')];
    if (pool !== undefined) budget.shareWith(pool);
    return budget;
  });
  const share = first?.share();
  expect(share?.take(3000)).toBeUndefined();
  const other = second?.share();
  const waiting = other?.take(2000);
  expect(await stateOf(waiting)).toBe('waiting');
  share?.release();
  await waiting;
  // Of both threads.
  expect(new SharedSeats(memory, 2).poolOf('x')?.inUse).toBe(2);
  other?.release();
  expect(new SharedSeats(memory, 2).poolOf('x')?.inUse).toBe(0);
});

it('what has been taken before there are other threads can be given back', () => {
  const memory = makeSeatMemory();
  const [budget, pool] = [new BodyBudget(4096), new SharedSeats(memory, 0).poolOf('x')];
  const [before, after] = [budget.share(), budget.share()];
  expect(before.take(1024)).toBeUndefined();
  if (pool !== undefined) budget.shareWith(pool);
  expect(after.take(2048)).toBeUndefined();
  before.release();
  expect([budget.takenBytes, pool?.inUse]).toEqual([2048, 2]);
  after.release();
  expect([budget.takenBytes, pool?.inUse]).toEqual([0, 0]);
});
