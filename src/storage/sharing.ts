import type { Storage } from './contract.ts';

/** What an engine tells of itself once other threads use its store. */
export interface Sharing {
  /** The value in memory that all threads share; itself if it is there already. */
  share(value: Uint8Array): Uint8Array;
  /** A copy of the value elsewhere in that memory. */
  copy(value: Uint8Array): Uint8Array;
  /** What is allocated of that memory. */
  readonly heldBytes: number;
  /** What has ever been allocated of it. */
  readonly begunBytes: number;
  /** Everything up to `revision` is visible, and watches have been told; nobody has been answered yet. */
  applied(revision: number): void;
  /** What is only visible before `revision` has been discarded. */
  compacted(revision: number): void;
}

/** An engine that alone writes to its store, and so knows its latest revision. */
export interface SharedEngine extends Storage {
  /** From now on; a second call replaces the first. */
  shareWith(sharing: Sharing): void;
}
