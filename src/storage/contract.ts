/**
 * The storage contract: etcd v3's semantics, two engines (`embedded/`, `etcd/`) and one conformance suite.
 *
 * - A single global revision, incremented by each write; it starts at 1 in an empty store, so the first write has
 * revision 2. - A write becomes visible (to reads, ranges and watches) only once it is durable, and its event is
 * delivered to watches before its promise resolves. - Keys and values are immutable once handed over, in both
 * directions: the bytes of a value are never modified. - Errors are `StorageError`s; layers below `registry/` do not
 * know Status.
 */
export interface Storage extends AsyncDisposable {
  /** The value of one key, at `revision` if given (else the latest). */
  get(key: string, options?: { readonly revision?: number } & CallOptions): Promise<GetResult>;
  /** Keys in byte order with `start <= key < end`. */
  range(request: RangeRequest): Promise<RangeResult>;
  /** Compare-and-put. Rejects with a StorageError if the write may not be durable. */
  put(request: PutRequest): Promise<WriteResult>;
  /** Compare-and-delete. Deleting an absent key resolves to `{ succeeded: false }`. */
  delete(request: DeleteRequest): Promise<WriteResult>;
  /**
   * Calls `sink` with every change of `start <= key < end` after `afterRevision`, in order, without gaps; a batch never
   * splits a revision. If `afterRevision` is older than the last compaction, the sink gets the `compacted` error and
   * the watch ends.
   */
  watch(request: WatchRequest, sink: WatchSink): StorageWatch;
  /** The latest visible revision. */
  currentRevision(options?: CallOptions): Promise<number>;
  /**
   * Discards what is only visible before `revision`. Rejects with `compacted` if already compacted there, with
   * `future-revision` if it does not exist yet.
   */
  compact(revision: number): Promise<void>;
  /**
   * The latest compaction that this process knows of; 0: none. Other servers may have compacted a shared store since.
   */
  readonly compactedRevision: number;
  /**
   * Size in bytes of the latest value of a key, if this thread can tell without asking; undefined: absent or not known.
   * It may differ from the size of what `get` returns, if values are encrypted.
   */
  sizeOf?(key: string): number | undefined;
  /** Whether the latest value of any key with this prefix is larger, if this thread can tell without asking. */
  holdsLarger?(prefix: string, bytes: number): boolean | undefined;
  /** Throws a StorageError if the store cannot serve (for the readiness check). */
  check(): Promise<void>;
}

export interface CallOptions {
  /**
   * In milliseconds of the monotonic clock, for remote stores: the call then fails with `timeout` or, for a write that
   * was sent, `unknown`.
   */
  readonly deadlineMs?: number;
}

export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the last put. */
  readonly modRevision: number;
  /** Revision of the put that created the key. */
  readonly createRevision: number;
  /** Why this server cannot read the value; set above the engines, which do not read values. */
  readonly unreadable?: UnreadableReason;
  /** Size of the value in the store; absent: that of `value`. Set above the engines. */
  readonly storedBytes?: number;
  /** This server would encode the value differently: an update rewrites it even if it changes nothing. */
  readonly stale?: boolean;
}

export interface UnreadableReason {
  /** It cannot be decrypted, or what was stored is not an object. */
  readonly kind: 'untransformable' | 'undecodable';
  readonly message: string;
}

export interface GetResult {
  readonly kv: KeyValue | undefined;
  /** The store's revision at the time of the read. */
  readonly revision: number;
}

export interface RangeRequest extends CallOptions {
  readonly start: string;
  readonly end: string;
  /** Maximum number of keys; absent: all. */
  readonly limit?: number;
  readonly revision?: number;
}

export interface RangeResult {
  readonly kvs: readonly KeyValue[];
  readonly revision: number;
  /** Whether there are more keys than `limit`. */
  readonly more: boolean;
  /** Number of keys in the range, regardless of `limit`. */
  readonly count: number;
}

export interface PutRequest extends CallOptions {
  readonly key: string;
  readonly value: Uint8Array;
  /** The write succeeds only if the key's modRevision equals this; 0: only if the key is absent. */
  readonly expectedModRevision: number;
  /** The key is deleted this many seconds after the write unless written again. */
  readonly ttlSeconds?: number;
}

export interface DeleteRequest extends CallOptions {
  readonly key: string;
  readonly expectedModRevision: number;
}

export type WriteResult =
  | { readonly succeeded: true; readonly revision: number }
  /** The comparison failed; `current` is the actual state. */
  | { readonly succeeded: false; readonly current: KeyValue | undefined; readonly revision: number };

export interface WatchRequest {
  readonly start: string;
  readonly end: string;
  readonly afterRevision: number;
}

export interface StorageEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** Revision of the change. */
  readonly revision: number;
  /** The new value; undefined for a deletion. */
  readonly value: Uint8Array | undefined;
  /** As in KeyValue, for the new value. */
  readonly unreadable?: UnreadableReason;
  readonly storedBytes?: number;
  /** The previous state of the key; undefined for a created key. */
  readonly previous: KeyValue | undefined;
}

export interface WatchSink {
  /** Must not throw and must return at once. */
  events(events: readonly StorageEvent[]): void;
  /**
   * All changes up to `revision` have been delivered (etcd's progress notification); engines call it in response to
   * `requestProgress`, and may at other times.
   */
  progress(revision: number): void;
  /** The watch has ended; no more calls follow. */
  failed(error: StorageError): void;
  /**
   * The values of these keys are elsewhere in memory, the same bytes: whoever keeps them lets go of where they were.
   * Only an engine that shares its values with other threads calls it.
   */
  moved?(kvs: readonly KeyValue[]): void;
}

export interface StorageWatch {
  /** Requests a `progress` call as soon as the watch is known to be at the store's current revision. */
  requestProgress(): void;
  /** Takes in what the store has told and this thread has not heard yet; absent: there is no such thing. */
  takeIn?(): void;
  cancel(): void;
}

/**
 * | code | when |
 * |---|---|
 * | compacted | the requested revision has been compacted |
 * | future-revision | the requested revision does not exist yet |
 * | timeout | the store could not be reached, or did not answer a read, in time; a failed write was not applied |
 * | unavailable | the store cannot answer now (disk full, not reachable); a failed write was not applied |
 * | closed | the store has been closed, and answers nothing any more; a failed write was not applied |
 * | refused | etcd refused the request for a reason of its own (no space, no leader, not permitted), given in the message; a failed write was not applied |
 * | unknown | the write may or may not have been applied (connection lost while waiting) |
 * | too-large | key or value over the limit |
 * | unencryptable | the value cannot be encrypted now; nothing was written |
 * | outdated | values are decrypted differently now: what was read has to be read again |
 */
export type StorageErrorCode =
  | 'compacted'
  | 'future-revision'
  | 'timeout'
  | 'unavailable'
  | 'closed'
  | 'refused'
  | 'unknown'
  | 'too-large'
  | 'unencryptable'
  | 'outdated';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** The compaction revision or current revision, for the codes that concern one. */
  readonly revision: number | undefined;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions & { readonly revision?: number }) {
    super(message, options);
    this.code = code;
    this.revision = options?.revision;
  }
}

/**
 * The end of the range of all keys with `prefix` (byte order). The prefix must end in an ASCII character, as all of
 * ours do.
 */
export function prefixEnd(prefix: string): string {
  return `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
}
