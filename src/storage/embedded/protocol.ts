/**
 * What the engine and the thread that owns SQLite say to each other. Rows travel as two transferred buffers,
 * so that a group of writes costs one message whatever its size.
 */

/** One row of the log. */
export interface LogRow {
  readonly revision: number;
  readonly key: string;
  /** undefined: a deletion. */
  readonly value: Uint8Array | undefined;
  /** 0 with a deletion. */
  readonly createRevision: number;
  /** The row this one supersedes: the put of the same key before it; 0 when the key was absent. */
  readonly previousRevision: number;
  /** Milliseconds since the epoch; 0: never. */
  readonly expiresAtMs: number;
}

export interface RowBlock {
  /** `rowFields` numbers a row. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Key and value of each row, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface WorkerOptions {
  readonly path: string;
  /** false: only open; the engine has the values already and asks for what it missed. */
  readonly load: boolean;
}

export interface OpenedLog {
  readonly revision: number;
  readonly compacted: number;
}

export interface ChangesRequest {
  readonly type: 'changes';
  readonly afterRevision: number;
  readonly untilRevision: number;
  /** Stops after about so many bytes. */
  readonly sizeBytes: number;
}

/** Changes in order, and the puts that they supersede. */
export interface ChangesAnswer {
  readonly changes: RowBlock;
  readonly previous: RowBlock;
  /** All changes up to here are in the answer. */
  readonly scannedRevision: number;
}

/** What the keys that changed after `revision` (up to `untilRevision`) were at `revision`. */
export interface EarlierRequest {
  readonly type: 'earlier';
  readonly revision: number;
  readonly untilRevision: number;
  readonly start: string;
  readonly end: string;
}

export interface EarlierAnswer {
  readonly rows: RowBlock;
  /** Keys that did not exist at the revision. */
  readonly absent: readonly string[];
}

/** Each request of the engine and the answer to it. */
export interface LogCalls {
  /** The bytes come back to be filled again: touching new memory for each group would cost more than the rest of the way. */
  readonly append: {
    readonly request: { readonly type: 'append'; readonly rows: RowBlock };
    readonly answer: ArrayBuffer;
  };
  readonly changes: { readonly request: ChangesRequest; readonly answer: ChangesAnswer };
  readonly earlier: { readonly request: EarlierRequest; readonly answer: EarlierAnswer };
  readonly compact: {
    readonly request: { readonly type: 'compact'; readonly revision: number };
    readonly answer: null;
  };
  readonly close: { readonly request: { readonly type: 'close' }; readonly answer: null };
}

export type LogRequest = LogCalls[keyof LogCalls]['request'];
export type LogAnswer = LogCalls[keyof LogCalls]['answer'];

/**
 * | code | when |
 * |---|---|
 * | full | no room: the write is not done, the next may succeed |
 * | damaged | what was asked for is not as it was written; the rest is served |
 * | broken | anything else; whether a write was done is not known, and the thread ends |
 */
export interface LogFailure {
  readonly code: 'full' | 'damaged' | 'broken';
  readonly message: string;
}

/** What ends a call; `id` is the call's. */
export type LogReply =
  | { readonly type: 'answer'; readonly id: number; readonly answer: LogAnswer }
  | { readonly type: 'failure'; readonly id: number; readonly failure: LogFailure };

export type WorkerMessage =
  | LogReply
  | { readonly type: 'rows'; readonly rows: RowBlock }
  | { readonly type: 'opened'; readonly opened: OpenedLog }
  /** `inUse`: another process has the store open. */
  | { readonly type: 'refused'; readonly inUse: boolean; readonly message: string };
