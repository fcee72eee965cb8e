/**
 * The record of a run for the checker: requests and responses, watch events, and every change that the store has kept.
 * All times are from one monotonic clock, in milliseconds.
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
  /** The last write: unique within a run. A patch changes this but not `base`. */
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

/** How recent a read must be, as expressed in request parameters. */
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
      /** A page that continues after this name, with the token of an earlier one. */
      readonly behind: string | undefined;
    };

export type Action = WriteAction | ReadAction;

export type Outcome =
  /** No response, or one that does not say whether the write was applied. */
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
  /** One process of one server; each restart is another one. */
  readonly server: string;
  readonly invokedMs: number;
  readonly returnedMs: number;
  readonly action: Action;
  readonly outcome: Outcome;
}

/** Empty: all objects. */
export interface WatchSelection {
  readonly name?: string;
  readonly side?: string;
}

export type WatchStart =
  | { readonly kind: 'after'; readonly revision: number }
  /** The state as ADDED events; with `bookmark` (`sendInitialEvents`) its end is marked. */
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
 * | ended | by the client, by the server, or through a failure of either |
 * | expired | the requested version is no longer available |
 * | stalled | due events did not arrive in time |
 * | unexpected | any other response |
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
