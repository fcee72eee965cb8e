import type { ChangesResponse, EarlierResponse, UpkeepState } from './protocol.ts';
import type { RevisionLog } from './revision-log.ts';

/** The log of a store in memory: none. What its history has forgotten is compacted, so nothing is read from here. */
export class MemoryLog implements RevisionLog {
  readonly ended = undefined;

  async append(): Promise<void> {
    // What is in memory is as durable as it gets.
  }

  changes(): Promise<ChangesResponse> {
    return Promise.reject(new Error('all changes are in the history'));
  }

  earlier(): Promise<EarlierResponse> {
    return Promise.reject(new Error('all changes are in the history'));
  }

  async compact(): Promise<void> {
    // The history does it.
  }

  async defragment(): Promise<{ readonly surplusBytes: number }> {
    return { surplusBytes: 0 };
  }

  async slice(): Promise<UpkeepState> {
    return { swept: Infinity, surplusBytes: 0, idle: true };
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
