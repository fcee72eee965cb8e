import type { LevelState, QueueState, RequestState } from './level-state.ts';

/** The levels of all threads as those of one server: a queue is the queues of that number together. */
export function mergedLevels(threads: readonly (readonly LevelState[])[]): readonly LevelState[] {
  const byName = Map.groupBy(threads.flat(), ({ name }) => name);
  return Array.from(byName.values(), (same) => same.reduce(mergedLevel));
}

function mergedLevel(a: LevelState, b: LevelState): LevelState {
  const byIndex = Map.groupBy([...a.queues, ...b.queues], ({ index }) => index);
  return {
    name: a.name,
    isIdle: a.isIdle && b.isIdle,
    // One that has heard that the level is gone has no requests any more.
    isQuiescing: a.isQuiescing || b.isQuiescing,
    totals: added(a.totals, b.totals),
    queues: Array.from(byIndex.values(), (same) => same.reduce(mergedQueue)),
    queueless: inOrder(a.queueless, b.queueless),
  };
}

function mergedQueue(a: QueueState, b: QueueState): QueueState {
  return {
    index: a.index,
    counts: added(a.counts, b.counts),
    nextDispatchR: nextOf(a, b).nextDispatchR,
    waiting: inOrder(a.waiting, b.waiting),
    executing: inOrder(a.executing, b.executing),
  };
}

/** The one that dispatches next. */
function nextOf(a: QueueState, b: QueueState): QueueState {
  const waits = (queue: QueueState): boolean => queue.counts.waiting > 0;
  if (waits(a) !== waits(b)) return waits(a) ? a : b;
  return b.nextDispatchR < a.nextDispatchR === waits(a) ? b : a;
}

function inOrder(a: readonly RequestState[], b: readonly RequestState[]): readonly RequestState[] {
  return [...a, ...b].toSorted((one, other) => one.arrivedMs - other.arrivedMs);
}

function added<Counts extends { readonly [name in keyof Counts]: number }>(a: Counts, b: Counts): Counts {
  const names = Object.keys(a) as (keyof Counts)[]; // it has no others
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Counts;
}
