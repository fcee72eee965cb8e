/** Counts the watches of one version of a resource. Must not throw. */
export interface WatchUse {
  /** An event or bookmark of so many bytes has been sent. */
  sent(sizeBytes: number): void;
  /** The initial list of a watch that asked for one has been sent, so long after its request. */
  listed(scope: WatchListScope, seconds: number): void;
}

/** What a watch asks for: one object, a namespace, or everything. */
export type WatchListScope = 'resource' | 'namespace' | 'cluster';
