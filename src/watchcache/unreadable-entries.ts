import { OrderedMap } from '../api/collections/ordered-map.ts';
import type { UnreadableReason } from '../storage/contract.ts';
import type { CacheEntry } from './cache-entry.ts';

/** A stored value that cannot be decoded. */
export interface UnreadableEntry {
  readonly key: string;
  readonly modRevision: number;
  readonly unreadable: UnreadableReason;
  /** The object that watchers last saw; undefined if there was none since the cache started. */
  readonly known: CacheEntry | undefined;
}

/** By key; undefined if everything is readable, as almost always. Immutable. */
export type UnreadableEntries = OrderedMap<UnreadableEntry> | undefined;

export function unreadableEntries(entries: readonly UnreadableEntry[]): UnreadableEntries {
  return entries.length === 0 ? undefined : OrderedMap.from(entries, ({ key }) => key);
}

export function withUnreadable(entries: UnreadableEntries, entry: UnreadableEntry): UnreadableEntries {
  return (entries ?? OrderedMap.empty<UnreadableEntry>()).set(entry.key, entry);
}

export function withoutUnreadable(entries: UnreadableEntries, key: string): UnreadableEntries {
  const rest = entries?.delete(key);
  return rest?.size === 0 ? undefined : rest;
}
