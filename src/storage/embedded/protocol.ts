/**
 * Messages between the engine and the thread that owns SQLite. Rows are sent as two transferred buffers, so that a
 * group of writes costs one message whatever its size.
 */

/** One row of the log. */
export interface LogRow {
  readonly revision: number;
  readonly key: string;
  /** undefined: a deletion. */
  readonly value: Uint8Array | undefined;
  /** 0 for a deletion. */
  readonly createRevision: number;
  /** The superseded row: the previous put of the same key; 0 if the key was absent. */
  readonly previousRevision: number;
  /** Milliseconds since the epoch; 0: never. */
  readonly expiresAtMs: number;
}

export interface RowBlock {
  /** `rowFields` numbers per row. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Keys and values of the rows, concatenated. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface WorkerOptions {
  readonly path: string;
  readonly syncs: boolean;
  /** false: only opens; the engine already has the values and requests what it missed. */
  readonly load: boolean;
}

export interface OpenedLog {
  readonly revision: number;
  readonly compacted: number;
}

/** The changes of a range of keys. */
export interface ChangesRequest {
  readonly type: 'changes';
  readonly afterRevision: number;
  readonly untilRevision: number;
  readonly start: string;
  readonly end: string;
  /** Approximate size limit of the answer. */
  readonly sizeBytes: number;
}

/** Some or all of the changes in order, and the puts they supersede. */
export interface ChangesResponse {
  readonly changes: RowBlock;
  readonly previous: RowBlock;
  /** The answer has all changes up to this revision. */
  readonly scannedRevision: number;
}

/** The state at `revision` of keys that changed after it (up to `untilRevision`). */
export interface EarlierRequest {
  readonly type: 'earlier';
  readonly revision: number;
  readonly untilRevision: number;
  readonly start: string;
  readonly end: string;
}

export interface EarlierResponse {
  readonly rows: RowBlock;
  /** Keys absent at the revision. */
  readonly absent: readonly string[];
}

/** How far upkeep is. */
export interface UpkeepState {
  /** What compaction made unreachable has been deleted up to this revision. */
  readonly swept: number;
  /** Still to be returned to the file system. */
  readonly surplusBytes: number;
  /** Nothing is left to do. */
  readonly idle: boolean;
}

/** Requests of the engine and their answers. */
export interface LogCalls {
  /** The buffer is returned for reuse: touching new memory for each group would cost more than everything else. */
  readonly append: {
    readonly request: { readonly type: 'append'; readonly rows: RowBlock };
    readonly response: ArrayBuffer;
  };
  readonly changes: { readonly request: ChangesRequest; readonly response: ChangesResponse };
  readonly earlier: { readonly request: EarlierRequest; readonly response: EarlierResponse };
  readonly compact: {
    readonly request: { readonly type: 'compact'; readonly revision: number };
    readonly response: null;
  };
  /** Starts to return all free space, in slices. */
  readonly defragment: {
    readonly request: { readonly type: 'defragment' };
    readonly response: { readonly surplusBytes: number };
  };
  /** Answered when the next slice of compaction or defragmentation is done. */
  readonly slice: { readonly request: { readonly type: 'slice' }; readonly response: UpkeepState };
  readonly close: { readonly request: { readonly type: 'close' }; readonly response: null };
}

export type LogRequest = LogCalls[keyof LogCalls]['request'];
export type LogResponse = LogCalls[keyof LogCalls]['response'];

/**
 * | code | when |
 * |---|---|
 * | full | no space: the write was not applied, the next may succeed |
 * | damaged | the requested data is not as it was written; the rest is still served |
 * | old-format | the file was created by a version whose stores cannot do that; the rest is still served |
 * | broken | anything else; whether a write was applied is unknown, and the thread exits |
 */
export interface LogFailure {
  readonly code: 'full' | 'damaged' | 'old-format' | 'broken';
  readonly message: string;
}

/** Replies to calls; `id` is the call's. */
export type LogReply =
  | { readonly type: 'response'; readonly id: number; readonly response: LogResponse }
  | { readonly type: 'failure'; readonly id: number; readonly failure: LogFailure };

export type WorkerMessage =
  | LogReply
  | { readonly type: 'rows'; readonly rows: RowBlock }
  | { readonly type: 'opened'; readonly opened: OpenedLog }
  /** `inUse`: another process has the store open. */
  | { readonly type: 'refused'; readonly inUse: boolean; readonly message: string };
