import type { CacheEntry } from './cache-entry.ts';

/** What is stored where an object should be, and cannot be read as one. */
export interface UnreadableEntry {
  readonly key: string;
  readonly modRevision: number;
  readonly unreadable: string;
  /** The object that watchers know; undefined when there has been none since the cache began. */
  readonly known: CacheEntry | undefined;
}

/** By key; undefined where everything can be read, as almost always. It is never changed. */
export type UnreadableEntries = ReadonlyMap<string, UnreadableEntry> | undefined;

export function withUnreadable(entries: UnreadableEntries, entry: UnreadableEntry): UnreadableEntries {
  return new Map([...(entries ?? []), [entry.key, entry]]);
}

export function withoutUnreadable(entries: UnreadableEntries, key: string): UnreadableEntries {
  if (entries?.has(key) !== true) return entries;
  const rest = new Map([...entries].filter(([each]) => each !== key));
  return rest.size === 0 ? undefined : rest;
}
