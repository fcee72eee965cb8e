import type { MessagePort } from 'node:worker_threads';
import type { SpanOrigin } from '../../api/contracts/span.ts';
import type { CallOptions, DeleteRequest, PutRequest, RangeRequest, WatchRequest } from '../contract.ts';
import type { Packed } from './packed.ts';
import type { PlainError } from './plain-error.ts';
import type { NumberedBlock, BlockSlice } from './shared-blocks.ts';

/**
 * Messages between the thread of a store and one that uses it. Values are not in them but in blocks of shared memory: a
 * block goes over once, then values in it are named by their places.
 */

/** What a thread needs to use the store; to be transferred with its port. */
export interface StoreConnection {
  readonly port: MessagePort;
  /** The thread that begins blocks here. */
  readonly owner: number;
  /** The memory of `RevisionCells`. */
  readonly cells: SharedArrayBuffer;
  /** The latest revision is counted there: nobody else writes to the store. */
  readonly isCounted: boolean;
}

/** The calls of one turn of the event loop. */
export interface CallMessage {
  readonly blocks: readonly NumberedBlock[];
  readonly calls: readonly PortCall[];
  /** Blocks of this thread in which it will place no more values. */
  readonly completed: readonly number[];
}

/** `trace`: the step that a call belongs to, of those that go on to another server. */
export type PortCall = PlainCall & { readonly trace?: SpanOrigin };

type PlainCall =
  | { readonly type: 'get'; readonly id: number; readonly key: string; readonly options: GetOptions }
  | { readonly type: 'range'; readonly id: number; readonly request: RangeRequest }
  | {
      readonly type: 'put';
      readonly id: number;
      readonly request: Omit<PutRequest, 'value'>;
      readonly place: BlockSlice;
    }
  | { readonly type: 'delete'; readonly id: number; readonly request: DeleteRequest }
  | { readonly type: 'currentRevision'; readonly id: number; readonly options: CallOptions }
  | { readonly type: 'compact'; readonly id: number; readonly revision: number }
  | { readonly type: 'check'; readonly id: number }
  | { readonly type: 'watch'; readonly id: number; readonly request: WatchRequest }
  | { readonly type: 'progress'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number };

export type GetOptions = { readonly revision?: number } & CallOptions;

export interface ReplyMessage {
  readonly blocks: readonly NumberedBlock[];
  readonly replies: readonly PortReply[];
  /** Blocks in which the thread of the store has no value any more. */
  readonly forgotten: readonly number[];
}

/** `id` is that of the call, or of the watch. */
export type PortReply =
  /** A part of the answer. */
  | { readonly type: 'kvs'; readonly id: number; readonly kvs: Packed }
  /** The call has ended; the kvs of its result went before. */
  | { readonly type: 'result'; readonly id: number; readonly result: PlainResult }
  | { readonly type: 'error'; readonly id: number; readonly error: PlainError }
  | { readonly type: 'events'; readonly id: number; readonly events: Packed }
  | { readonly type: 'progress'; readonly id: number; readonly revision: number }
  | { readonly type: 'moved'; readonly id: number; readonly kvs: Packed }
  | { readonly type: 'failed'; readonly id: number; readonly error: PlainError };

/** A result without its kvs. */
export interface PlainResult {
  readonly revision: number;
  readonly succeeded?: boolean;
  readonly more?: boolean;
  readonly count?: number;
}
