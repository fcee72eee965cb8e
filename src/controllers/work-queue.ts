import { backoffMs } from '../api/scheduling/backoff.ts';
import { isReason } from '../api/errors/status.ts';
import { sliceOfRound, TimeSlice } from '../api/scheduling/time-slice.ts';
import type { Clock } from '../api/time/clock.ts';
import { Deadlines } from './deadlines.ts';
import type { QueueMetric } from './queue-metrics.ts';

export interface WorkQueueOptions {
  /** Works on one key; called again later if it throws. */
  readonly work: (key: string) => Promise<void>;
  /** Number of keys worked on concurrently. */
  readonly workers: number;
  /** Consecutive failures after which a key is dropped; absent: never. */
  readonly attempts?: number;
  /** Delay after the first failure, doubled on each further one. */
  readonly firstDelayMs?: number;
  readonly longestDelayMs?: number;
  /** Whether keys begin without pauses, because what becomes of one depends on which others have begun. */
  readonly withoutPauses?: boolean;
  readonly metric: QueueMetric;
  /** By which keys are worked on later; a timer alone, unless given. */
  readonly clock?: Clock;
  readonly onError: (error: unknown) => void;
}

/** Thrown by work that has to wait for something without watch events. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
  readonly code = 'NOT_YET';
}

/** Keys to work on: deduplicated, never worked on concurrently, retried after failures. */
export class WorkQueue implements AsyncDisposable {
  readonly #options: WorkQueueOptions;
  /** Keys, and since when. */
  readonly #waiting = new Map<string, number>();
  readonly #working = new Map<string, Promise<void>>();
  /** Consecutive failures by key. */
  readonly #failures = new Map<string, number>();
  readonly #later: Deadlines;
  #isPaused = false;
  #state: 'held' | 'running' | 'stopped' = 'held';

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#later = new Deadlines((key) => this.add(key), options.clock);
  }

  /** Starts working. */
  start(): void {
    if (this.#state !== 'held') return;
    this.#state = 'running';
    this.#next();
  }

  add(key: string): void {
    if (this.#state === 'stopped' || this.#waiting.has(key)) return;
    this.#waiting.set(key, performance.now());
    this.#options.metric.added();
    this.#next();
  }

  addAfter(key: string, delayMs: number): void {
    if (delayMs <= 0) this.add(key);
    else if (this.#state !== 'stopped') this.#later.set(key, delayMs);
  }

  /** Resolves when work in progress has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'stopped';
    this.#later[Symbol.dispose]();
    this.#options.metric.dropped(this.#waiting.size);
    this.#waiting.clear();
    await Promise.all(this.#working.values());
  }

  /** Begins to work on keys, in the order in which they were added. */
  #next(): void {
    if (this.#state !== 'running' || this.#isPaused) return;
    for (const [key, addedMs] of this.#waiting) {
      if (this.#working.size >= this.#options.workers) return;
      if (this.#working.has(key)) continue;
      // All keys whose work waits for nothing would be worked on in one round of the event loop.
      if (this.#options.withoutPauses !== true && sliceOfRound().isOver) {
        void this.#goOnAfter(new TimeSlice().next());
        return;
      }
      this.#waiting.delete(key);
      this.#working.set(key, this.#work(key, this.#options.metric.begins(addedMs)));
    }
  }

  async #goOnAfter(pause: Promise<void>): Promise<void> {
    this.#isPaused = true;
    await pause;
    this.#isPaused = false;
    this.#next();
  }

  async #work(key: string, ends: () => void): Promise<void> {
    try {
      await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      if (this.#state === 'stopped') return;
      if (!isNoNews(error)) this.#options.onError(error);
      this.#tryAgain(key);
    } finally {
      ends();
      this.#working.delete(key);
      this.#next();
    }
  }

  #tryAgain(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    if (failures + 1 >= (this.#options.attempts ?? Number.POSITIVE_INFINITY)) {
      this.#failures.delete(key);
      return;
    }
    this.#failures.set(key, failures + 1);
    this.#options.metric.retries();
    const { firstDelayMs: firstMs = 5, longestDelayMs: longestMs = 1_000_000 } = this.#options;
    this.addAfter(key, backoffMs(failures, { firstMs, longestMs }));
  }
}

/** A conflict, or too early. */
function isNoNews(error: unknown): boolean {
  return error instanceof NotYet || isReason(error, 'Conflict') || isReason(error, 'AlreadyExists');
}
