/** Counts the use of a watch cache. Must not throw. */
export interface CacheUse {
  /** It has been filled from the store; it took so many seconds. */
  filled(seconds: number): void;
  /** It could not be filled. */
  notFilled(): void;
  /** A read has waited for a revision that the cache had not reached, with or without success. */
  waited(seconds: number): void;
  /** A read of the latest state has been answered, or has failed. */
  readLatest(succeeded: boolean): void;
  /** So many events have been delivered to watchers, so long after their changes were received. */
  dispatched(seconds: number, events: number): void;
}

export const unnoticed: CacheUse = {
  filled: () => undefined,
  notFilled: () => undefined,
  waited: () => undefined,
  readLatest: () => undefined,
  dispatched: () => undefined,
};
