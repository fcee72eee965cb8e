/** Maintenance of a store while it serves, beyond the storage contract. Both reject with a StorageError. */
export interface StoreUpkeep {
  /** Compacts, and ends once the space of what is no longer readable can be used again. */
  compact(target: CompactionTarget): Upkeep<Compacted>;
  /** Returns free space to the file system. */
  defragment(): Upkeep<Defragmented>;
}

/** Yields progress until the work is done; who stops listening does not stop the work. */
export type Upkeep<Result> = AsyncGenerator<Progress, Result>;

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly unit: ProgressUnit;
}

export type ProgressUnit = 'revisions' | 'rows' | 'keys' | 'bytes' | 'members' | 'clusters';

/** The oldest revision that remains readable, or how many revisions before the current one do. */
export type CompactionTarget = { readonly revision: number } | { readonly keep: number };

export interface Compacted {
  /** The oldest readable revision. */
  readonly revision: number;
}

/** Sizes of the files of the store, or of the databases of all members. */
export interface Defragmented {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/** Thrown if this store cannot do what was asked for; the message says why, and what can be done instead. */
export class UpkeepRefusedError extends Error {
  override readonly name = 'UpkeepRefusedError';
  readonly code = 'UPKEEP_REFUSED';
}
