import type { OrderedMap } from '../api/collections/ordered-map.ts';
import { prefixEnd } from '../storage/contract.ts';
import type { CacheEntry } from './cache-entry.ts';
import { type CacheChange, WatchEvent } from './cache-event.ts';
import type { WatchScope } from './watcher-index.ts';

/**
 * The initial events of a watch, in batches generated on demand: a state of 100,000 objects costs a watcher one pointer
 * until it is sent. Batches may be empty, as an opportunity to yield.
 */
export type Beginning = Iterable<readonly WatchEvent[]>;

export interface Selected {
  readonly scope: WatchScope;
  readonly selects?: ((entry: CacheEntry) => boolean) | undefined;
}

const batchSize = 200;

/** A state as ADDED events. */
export function* stateEvents(
  entries: OrderedMap<CacheEntry>,
  { scope, selects }: Selected,
  resourcePrefix: string,
): Generator<readonly WatchEvent[]> {
  if (scope.kind === 'key') {
    const entry = entries.get(scope.key);
    yield entry === undefined ? [] : added([entry], selects);
    return;
  }
  const prefix = scope.kind === 'prefix' ? scope.prefix : resourcePrefix;
  const end = prefixEnd(prefix);
  for (let start = prefix; ;) {
    const batch = entries.slice(start, end, batchSize);
    yield added(batch, selects);
    const last = batch.at(-1);
    if (last === undefined || batch.length < batchSize) return;
    start = `${last.key}\0`;
  }
}

function added(entries: readonly CacheEntry[], selects: Selected['selects']): readonly WatchEvent[] {
  const selected = selects === undefined ? entries : entries.filter(selects);
  return selected.map((entry) => new WatchEvent('ADDED', entry));
}

/** Past changes as the watcher sees them. */
export function* pastEvents(
  changes: readonly CacheChange[],
  { scope, selects }: Selected,
): Generator<readonly WatchEvent[]> {
  for (let at = 0; at < changes.length; at += batchSize) {
    yield changes
      .slice(at, at + batchSize)
      .filter(({ key }) => isIn(scope, key))
      .map((change) => change.eventFor(selects))
      .filter((event) => event !== undefined);
  }
}

function isIn(scope: WatchScope, key: string): boolean {
  if (scope.kind === 'key') return key === scope.key;
  return scope.kind === 'prefix' ? key.startsWith(scope.prefix) : true;
}
