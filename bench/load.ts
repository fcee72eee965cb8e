import type { Access } from './target.ts';

/**
 * Requests with the numbers `from` to `from + count - 1`. In path and body `{number}` is the number, `{name}` the name of the pod of that number modulo
 * `names`, `{shard}` the number modulo 100.
 */
export interface RequestJob {
  readonly kind: 'requests';
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  /** Of the answer; JSON when absent. */
  readonly accept?: string;
  /** `Accept-Encoding`; what is compressed is counted as it comes. */
  readonly encoding?: string;
  readonly body?: string;
  readonly from: number;
  readonly count: number;
  readonly names: number;
  readonly concurrency: number;
  /** Follow `continue` to the end of the list; each page is one request. */
  readonly pages?: boolean;
}

/** Watches held open; `{number}` in the path is 0 to `watchers - 1`. */
export interface WatchJob {
  readonly kind: 'watch';
  readonly path: string;
  readonly watchers: number;
}

/** Waits until all watchers together have received that many events since they began. */
export interface DeliveredJob {
  readonly kind: 'delivered';
  readonly events: number;
}

export type Job = RequestJob | WatchJob | DeliveredJob;

export interface LoadResult {
  readonly elapsedMs: number;
  readonly latenciesMs: readonly number[];
  readonly bytes: number;
  /** The body of the last answer, when it is small. */
  readonly last: string;
}

/** What the bench sends to the load generator. */
export interface Order {
  readonly access: Access;
  readonly job: Job;
}

export type Reply = { readonly result: LoadResult } | { readonly error: string };
