import { expect, it } from 'vitest';
import { CacheEntry } from './cache-entry.ts';
import { CacheChange } from './cache-event.ts';
import { History, type HistoryLimits } from './history.ts';

/** A change of one key at second `revision`, which supersedes `leftBytes`. */
function change(revision: number, leftBytes = 1): CacheChange {
  const previous = new CacheEntry('/a', new Uint8Array(leftBytes), revision - 1);
  return new CacheChange({ revision, key: '/a', current: previous, previous, seenMs: revision * 1000 });
}

/** What remains of changes 1 to `count` after `nowSeconds`. */
function left(
  limits: Partial<HistoryLimits>,
  { count, nowSeconds = count }: { count: number; nowSeconds?: number },
): number[] {
  const history = new History(0, { windowMs: 1e6, maxChanges: 1e6, maxBytes: 1e6, ...limits });
  for (let revision = 1; revision <= count; revision += 1) history.add(change(revision));
  history.forget(nowSeconds * 1000);
  const revisions = history.after(history.floor).map(({ revision }) => revision);
  expect(history.floor).toBe((revisions[0] ?? count + 1) - 1);
  return revisions;
}

it('changes older than the window are discarded', () => {
  expect(left({ windowMs: 2000 }, { count: 9 })).toEqual([7, 8, 9]);
  expect(left({ windowMs: 2000 }, { count: 9, nowSeconds: 60 })).toEqual([]);
});

it('some changes are kept whatever their age', () => {
  expect(left({ windowMs: 2000, minChanges: 4 }, { count: 9, nowSeconds: 60 })).toEqual([6, 7, 8, 9]);
});

it('changes beyond the limits are discarded whatever their age', () => {
  expect(left({ maxChanges: 2 }, { count: 9 })).toEqual([8, 9]);
  expect(left({ maxBytes: 3, minChanges: 5 }, { count: 9 })).toEqual([7, 8, 9]);
});

it('ages while it has more than it keeps whatever their age', () => {
  const history = new History(0, { windowMs: 2000, minChanges: 2, maxChanges: 1e6, maxBytes: 1e6 });
  for (const revision of [1, 2]) history.add(change(revision));
  expect(history.ages).toBe(false);
  history.add(change(3));
  expect(history.ages).toBe(true);
  history.forget(60_000);
  expect(history.ages).toBe(false);
});
