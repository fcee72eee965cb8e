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
export type UnreadableEntries = ReadonlyMap<string, UnreadableEntry> | undefined;

export function withUnreadable(entries: UnreadableEntries, entry: UnreadableEntry): UnreadableEntries {
  return new Map([...(entries ?? []), [entry.key, entry]]);
}

export function withoutUnreadable(entries: UnreadableEntries, key: string): UnreadableEntries {
  if (entries?.has(key) !== true) return entries;
  const rest = new Map([...entries].filter(([each]) => each !== key));
  return rest.size === 0 ? undefined : rest;
}
