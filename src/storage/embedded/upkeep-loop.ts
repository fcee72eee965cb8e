import type { LogDatabase } from './log-database.ts';
import type { UpkeepState } from './protocol.ts';

/** Time for writers between two slices. */
const pauseMs = 5;

/**
 * Deletes what compaction made unreachable and returns space to the file system, a slice at a time: a writer waits for
 * one slice at most. Runs on the thread that owns SQLite.
 */
export class UpkeepLoop {
  readonly #log: LogDatabase;
  readonly #options: UpkeepOptions;
  #waiting: SliceListener[] = [];
  #scheduled = false;
  #truncating = false;
  #stopped = false;

  constructor(log: LogDatabase, options: UpkeepOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** Works until nothing is left to do. */
  start(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    setTimeout(() => this.#slice(), pauseMs).unref();
  }

  /** Returns all space that is free now. */
  defragment(): void {
    this.#log.releaseFreePages();
    this.#truncating = true;
    this.start();
  }

  /** Calls `listener` after the next slice. */
  afterSlice(listener: SliceListener): void {
    this.#waiting.push(listener);
    this.start();
  }

  stop(): void {
    this.#stopped = true;
  }

  #slice(): void {
    this.#scheduled = false;
    if (this.#stopped) return;
    try {
      const more = this.#log.sweep() || this.#log.giveBack();
      if (!more) this.#truncate();
      this.#options.afterWrite();
      const state = { swept: this.#log.swept, surplusBytes: this.#log.surplusBytes, idle: !more };
      for (const { done } of this.#take()) done(state);
      if (more) this.start();
    } catch (error) {
      for (const { failed } of this.#take()) failed(error);
      this.#options.failed(error);
    }
  }

  #truncate(): void {
    if (!this.#truncating) return;
    this.#log.truncateWriteAheadLog();
    this.#truncating = false;
  }

  #take(): readonly SliceListener[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}

export interface UpkeepOptions {
  /** Called after each slice, which has written to the log. */
  readonly afterWrite: () => void;
  /** A slice has failed, and the loop has ended; `start` tries again. */
  readonly failed: (error: unknown) => void;
}

export interface SliceListener {
  readonly done: (state: UpkeepState) => void;
  readonly failed: (error: unknown) => void;
}
