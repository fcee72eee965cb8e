import type { Access } from './target.ts';

/** Requests with the numbers `from` to `from + count - 1`; `{name}` in path and body is the name of the pod of that number modulo `names`. */
export interface RequestJob {
  readonly kind: 'requests';
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly from: number;
  readonly count: number;
  readonly names: number;
  readonly concurrency: number;
  /** Follow `continue` to the end of the list; each page is one request. */
  readonly pages?: boolean;
}

/** Watches of one path, held open. */
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
