/** Counters since the cache was created, for metrics. */
export interface WatchCacheCounts {
  /** Changes received from the store and dispatched to watchers. */
  changes: number;
  /** Initial events sent. */
  initialEvents: number;
  /** How often the cache was filled. */
  starts: number;
  /** Watchers ended because they were too slow. */
  cutOff: number;
  /** Objects, before or after a change, that such watches did not report because they are of other shards. */
  inOtherShards: number;
}
