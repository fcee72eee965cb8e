import type { Storage } from '../contract.ts';
import {
  type Compacted,
  type CompactionTarget,
  type Defragmented,
  type StoreUpkeep,
  type Upkeep,
  UpkeepRefusedError,
} from '../upkeep.ts';
import { LogError } from './revision-log.ts';
import type { UpkeepState } from './protocol.ts';

export interface UpkeepParts {
  readonly storage: Pick<Storage, 'compact' | 'compactedRevision' | 'currentRevision'>;
  /** Resolves when the next slice is done, or rejects with a StorageError. */
  readonly slice: () => Promise<UpkeepState>;
  /** Starts to return free space. Rejects with a StorageError. */
  readonly defragment: () => Promise<{ readonly surplusBytes: number }>;
  /** Size of the files of the store. */
  readonly sizeBytes: () => number;
}

/** Maintenance that the storage thread does in slices; this side only follows it. */
export class EmbeddedUpkeep implements StoreUpkeep {
  readonly #parts: UpkeepParts;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  async *compact(target: CompactionTarget): Upkeep<Compacted> {
    const { storage } = this.#parts;
    const from = storage.compactedRevision;
    const revision = 'revision' in target ? target.revision : (await storage.currentRevision()) - target.keep;
    if ('revision' in target || revision > from) await storage.compact(revision);
    const goal = storage.compactedRevision;
    const total = Math.max(0, goal - from);
    for (;;) {
      const { swept } = await this.#parts.slice();
      yield { done: Math.min(total, Math.max(0, swept - from)), total, unit: 'revisions' };
      if (swept >= goal) return { revision: goal };
    }
  }

  async *defragment(): Upkeep<Defragmented> {
    const { slice, sizeBytes } = this.#parts;
    const beforeBytes = sizeBytes();
    const total = await this.#start();
    for (let state: UpkeepState | undefined; state?.idle !== true;) {
      state = await slice();
      yield { done: Math.max(0, total - state.surplusBytes), total, unit: 'bytes' };
    }
    return { beforeBytes, afterBytes: sizeBytes() };
  }

  async #start(): Promise<number> {
    try {
      return (await this.#parts.defragment()).surplusBytes;
    } catch (error) {
      const { cause } = error as Error; // only errors are thrown
      if (!(cause instanceof LogError && cause.code === 'old-format')) throw error;
      throw new UpkeepRefusedError(cause.message, { cause });
    }
  }
}
