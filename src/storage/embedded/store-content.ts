import { OrderedMap } from '../../api/collections/ordered-map.ts';
import type { KeyValue, StorageEvent } from '../contract.ts';
import type { Expiry } from './expirations.ts';
import type { LogRow, OpenedLog } from './protocol.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Everything that a store contains at one moment; it never changes, and stores that are opened with it share its
 * values.
 */
export interface StoreContent {
  readonly snapshot: Snapshot;
  /** The oldest readable revision. */
  readonly compacted: number;
  /** The latest changes: all after `eventsAfter`. */
  readonly events: readonly StorageEvent[];
  readonly eventsAfter: number;
  readonly expirations: readonly Expiry[];
}

/** `rows` are those of all keys. */
export function contentOfLog(rows: readonly LogRow[], { revision, compacted }: OpenedLog): StoreContent {
  const kvs = rows.flatMap((row) => keyValueOf(row) ?? []);
  const expiring = rows.filter(({ expiresAtMs }) => expiresAtMs > 0);
  return {
    snapshot: {
      revision,
      keys: OrderedMap.from(kvs, (kv) => kv.key),
    },
    compacted,
    events: [],
    eventsAfter: revision,
    expirations: expiring.map(({ key, revision: modRevision, expiresAtMs }) => ({
      key,
      modRevision,
      expiresAtMs,
    })),
  };
}

/**
 * Earlier content for a store that takes the place of one that has come to `revision` since. Keys have the revisions
 * that they had, and later changes get new ones, so that a revision never denotes two states; whoever has read or
 * watched up to an earlier revision has to read again. etcd calls it `--bump-revision --mark-compacted`.
 */
export function restoredContent({ snapshot, expirations }: StoreContent, revision: number): StoreContent {
  const next = Math.max(revision, snapshot.revision) + 1;
  return {
    snapshot: {
      ...snapshot,
      revision: next,
    },
    compacted: next,
    events: [],
    eventsAfter: next,
    expirations,
  };
}

export function keyValueOf(row: LogRow): KeyValue | undefined {
  const { key, value, revision: modRevision, createRevision } = row;
  return value === undefined ? undefined : { key, value, modRevision, createRevision };
}
