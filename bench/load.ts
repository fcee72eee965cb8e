import type { Access } from './target.ts';

/**
 * Requests numbered `from` to `from + count - 1`. In path and body, `{number}` is the number, `{name}` the name of the
 * pod with that number modulo `names`, `{shard}` the number modulo 100, and `{micros}` the
 * number modulo a million in six digits.
 */
export interface RequestJob {
  readonly kind: 'requests';
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  /** Accept header; default JSON. */
  readonly accept?: string;
  /** `Accept-Encoding`; compressed bytes are counted as received. */
  readonly encoding?: string;
  /** JSON, which is sent in protobuf if that is the content type. */
  readonly body?: string;
  readonly from: number;
  readonly count: number;
  readonly names: number;
  readonly concurrency: number;
  /** Whether `{version}` in the body is the resourceVersion of the last answer from the same path, at first nothing. */
  readonly follows?: boolean;
  /** Follows `continue` to the end of the list; each page counts as a request. */
  readonly pages?: boolean;
}

/** Watches kept open; `{number}` in the path is 0 to `watchers - 1`. */
export interface WatchJob {
  readonly kind: 'watch';
  readonly path: string;
  readonly watchers: number;
}

/** Waits until all watchers together have received this many events. */
export interface DeliveredJob {
  readonly kind: 'delivered';
  readonly events: number;
}

export type Job = RequestJob | WatchJob | DeliveredJob;

export interface LoadResult {
  readonly elapsedMs: number;
  readonly latenciesMs: readonly number[];
  readonly bytes: number;
  /** The body of the last response, if small. */
  readonly last: string;
}

/** A message from the bench to the load generator. */
export interface Order {
  readonly access: Access;
  readonly job: Job;
}

export type Reply = { readonly result: LoadResult } | { readonly error: string };
