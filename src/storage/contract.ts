/**
 * The storage contract: etcd v3's semantics, two engines (`embedded/`, `etcd/`) and one conformance suite.
 *
 * - One global revision, raised by one with each write; it starts at 1 in an empty store, so the first write has revision 2.
 * - A write becomes visible (to reads, ranges and watches) only after it is durable, and watches have been told of it before its promise resolves.
 * - Keys and values are immutable once handed over, in both directions: nobody changes a value's bytes.
 * - Errors are `StorageError`s; nothing below `registry/` knows of Status.
 */
export interface Storage extends AsyncDisposable {
  /** The value of one key, at `revision` when given (else the latest). */
  get(key: string, options?: { readonly revision?: number } & CallOptions): Promise<GetResult>;
  /** Keys in byte order with `start <= key < end`. */
  range(request: RangeRequest): Promise<RangeResult>;
  /** Compare and put. Rejects with a StorageError when the write may not be durable. */
  put(request: PutRequest): Promise<WriteResult>;
  /** Compare and delete. Deleting an absent key gives `{ succeeded: false }`. */
  delete(request: DeleteRequest): Promise<WriteResult>;
  /**
   * Calls `sink` with every change of `start <= key < end` after `afterRevision`, in order, without gaps; a batch never splits a revision.
   * `afterRevision` older than the last compaction: the sink gets the `compacted` error and the watch ends.
   */
  watch(request: WatchRequest, sink: WatchSink): StorageWatch;
  /** The latest revision that reads may see. */
  currentRevision(options?: CallOptions): Promise<number>;
  /** Forgets what only revisions before `revision` could see. Rejects with `compacted` when that is done already, with `future-revision` when there is no such revision. */
  compact(revision: number): Promise<void>;
  /** Throws a StorageError when the store cannot serve (for the readiness check). */
  check(): Promise<void>;
}

export interface CallOptions {
  /** Milliseconds since the epoch: a store that must be reached first gives up then, with `timeout` or, about a write that was sent, `unknown`. */
  readonly deadlineMs?: number;
}

export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the last put. */
  readonly modRevision: number;
  /** Revision of the put that created the key. */
  readonly createRevision: number;
  /** Why the value is not one that this server can read; engines, which read none, never say so. */
  readonly unreadable?: string;
  /** This server would write the same otherwise, so that an update writes it anew even if it changes nothing. */
  readonly stale?: boolean;
}

export interface GetResult {
  readonly kv: KeyValue | undefined;
  /** The store's revision when this was read. */
  readonly revision: number;
}

export interface RangeRequest extends CallOptions {
  readonly start: string;
  readonly end: string;
  /** At most so many; all when absent. */
  readonly limit?: number;
  readonly revision?: number;
}

export interface RangeResult {
  readonly kvs: readonly KeyValue[];
  readonly revision: number;
  /** There are more keys than `limit`. */
  readonly more: boolean;
  /** All keys of the range, whatever `limit` says. */
  readonly count: number;
}

export interface PutRequest extends CallOptions {
  readonly key: string;
  readonly value: Uint8Array;
  /** The write happens only if the key's modRevision is this; 0: only if the key is absent. */
  readonly expectedModRevision: number;
  /** The key is deleted so many seconds after the write unless written again. */
  readonly ttlSeconds?: number;
}

export interface DeleteRequest extends CallOptions {
  readonly key: string;
  readonly expectedModRevision: number;
}

export type WriteResult =
  | { readonly succeeded: true; readonly revision: number }
  /** The expectation did not hold; `current` is what is there. */
  | { readonly succeeded: false; readonly current: KeyValue | undefined; readonly revision: number };

export interface WatchRequest {
  readonly start: string;
  readonly end: string;
  readonly afterRevision: number;
}

/** One change. */
export interface StorageEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** Revision of the change. */
  readonly revision: number;
  /** The new value; of a deletion: undefined. */
  readonly value: Uint8Array | undefined;
  /** As that of a KeyValue, of the new value. */
  readonly unreadable?: string;
  /** What the key was before; undefined for a created key. */
  readonly previous: KeyValue | undefined;
}

export interface WatchSink {
  /** Must not throw and must return at once. */
  events(events: readonly StorageEvent[]): void;
  /** All changes up to `revision` have been delivered (etcd's progress notification); engines call it when asked by `requestProgress`, and may at other times. */
  progress(revision: number): void;
  /** The watch has ended and will deliver no more. */
  failed(error: StorageError): void;
}

export interface StorageWatch {
  /** Asks for a `progress` call as soon as the watch is known to be at the store's current revision. */
  requestProgress(): void;
  cancel(): void;
}

/**
 * | code | when |
 * |---|---|
 * | compacted | the revision asked for has been compacted |
 * | future-revision | the revision asked for does not exist yet |
 * | timeout | the store could not be reached, or did not answer a read, in time; a write that fails so is not done |
 * | unavailable | the store cannot answer now (disk full, shutting down); a write that fails so is not done |
 * | refused | the store, being etcd, says no for a reason of its own (no space, no leader, not permitted), which is the message; a write that fails so is not done |
 * | unknown | the write may or may not have been done (connection lost while waiting) |
 * | too-large | key or value over the limit |
 */
export type StorageErrorCode =
  | 'compacted'
  | 'future-revision'
  | 'timeout'
  | 'unavailable'
  | 'refused'
  | 'unknown'
  | 'too-large';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** The compaction or current revision, with the codes that concern one. */
  readonly revision: number | undefined;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions & { readonly revision?: number }) {
    super(message, options);
    this.code = code;
    this.revision = options?.revision;
  }
}

/** The end of the range of all keys that start with `prefix` (byte order). The prefix ends in an ASCII character, as all of ours do. */
export function prefixEnd(prefix: string): string {
  return `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
}
