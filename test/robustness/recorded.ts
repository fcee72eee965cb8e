/**
 * What a run leaves behind for the checker: what clients asked and were told, what watches were told, and every change that the
 * store has kept. All times are of one monotonic clock, in milliseconds.
 */
export interface RecordedRun {
  readonly operations: readonly Operation[];
  readonly watches: readonly WatchSession[];
  /** All changes of the objects under test, in order. */
  readonly changes: readonly StoredChange[];
}

/** An object as a client sees it. */
export interface ObjectState {
  readonly name: string;
  readonly revision: number;
  readonly uid: string;
  /** The last write that replaced the whole object. */
  readonly base: string;
  /** The last write: unique in a run. A patch changes this and leaves `base`. */
  readonly write: string;
  /** A label, `left` or `right`, for selectors. */
  readonly side: string;
}

export interface StoredChange {
  readonly revision: number;
  readonly name: string;
  /** Undefined: deleted. */
  readonly now: ObjectState | undefined;
}

/** How new a read must be: as the parameters of a request say it. */
export type Freshness =
  | { readonly kind: 'latest' }
  /** `resourceVersion=0` */
  | { readonly kind: 'any' }
  | { readonly kind: 'notOlderThan' | 'exact'; readonly revision: number };

export type WriteAction =
  | { readonly verb: 'create'; readonly name: string; readonly write: string }
  | { readonly verb: 'update'; readonly name: string; readonly write: string; readonly expected: number }
  | { readonly verb: 'patch'; readonly name: string; readonly write: string; readonly expected: number | undefined }
  | {
      readonly verb: 'delete';
      readonly name: string;
      readonly uid: string | undefined;
      readonly expected: number | undefined;
    };

export type ReadAction =
  | { readonly verb: 'get'; readonly name: string; readonly freshness: Freshness }
  | {
      readonly verb: 'list';
      readonly freshness: Freshness;
      readonly side: string | undefined;
      /** 0: no limit. */
      readonly limit: number;
      /** A page that goes on behind this name, with the token of an earlier one. */
      readonly behind: string | undefined;
    };

export type Action = WriteAction | ReadAction;

export type Outcome =
  /** No answer, or one that leaves open whether the write was done. */
  | { readonly kind: 'unknown'; readonly detail: string }
  /** The state after a write, or as read. */
  | { readonly kind: 'object'; readonly object: ObjectState }
  | { readonly kind: 'deleted'; readonly uid: string }
  | {
      readonly kind: 'list';
      readonly revision: number;
      readonly items: readonly ObjectState[];
      readonly more: boolean;
      readonly remaining: number | undefined;
    }
  | { readonly kind: 'absent' | 'exists' | 'conflict' | 'expired' | 'future' }
  | { readonly kind: 'unexpected'; readonly detail: string };

export interface Operation {
  readonly client: string;
  /** One process of one server; another one after each restart. */
  readonly server: string;
  readonly invokedMs: number;
  readonly returnedMs: number;
  readonly action: Action;
  readonly outcome: Outcome;
}

/** All objects when empty. */
export interface WatchSelection {
  readonly name?: string;
  readonly side?: string;
}

export type WatchStart =
  | { readonly kind: 'after'; readonly revision: number }
  /** The state as ADDED events; with `bookmark` (`sendInitialEvents`) the end of it is told. */
  | { readonly kind: 'state'; readonly freshness: Freshness; readonly bookmark: boolean };

export type ReceivedEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly receivedMs: number;
      readonly object: ObjectState;
    }
  | {
      readonly type: 'BOOKMARK';
      readonly receivedMs: number;
      readonly revision: number;
      readonly endsInitialEvents: boolean;
    };

/**
 * | ending | |
 * |---|---|
 * | ended | by the client, the server, or the fall of either |
 * | expired | the server no longer had what was asked for |
 * | stalled | what must have come did not come in time |
 * | unexpected | anything else that the server said |
 */
export type WatchEnding = 'ended' | 'expired' | 'stalled' | 'unexpected';

export interface WatchSession {
  readonly client: string;
  readonly server: string;
  readonly openedMs: number;
  readonly selection: WatchSelection;
  readonly start: WatchStart;
  readonly events: readonly ReceivedEvent[];
  readonly ending: WatchEnding;
  readonly detail: string;
}
