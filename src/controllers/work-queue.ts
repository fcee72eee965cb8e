import type { Clock } from '../api/clock.ts';
import { isReason } from '../api/status.ts';
import { Deadlines } from './deadlines.ts';

export interface WorkQueueOptions {
  /** Works on one key; when it throws, it is called again after a while. */
  readonly work: (key: string) => Promise<void>;
  /** How many keys are worked on at a time. */
  readonly workers: number;
  /** How often in succession a key may fail before it is given up; as often as it likes when absent. */
  readonly attempts?: number;
  /** How long a key waits that has failed once; twice as long each further time. */
  readonly firstDelayMs?: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const defaultDelayMs = 5;
const longestDelayMs = 1_000_000;

/** Thrown by work that has to wait for something that is not told of. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
  readonly code = 'NOT_YET';
}

/** Keys to work on: each once however often it is added, never twice at a time, and later again where that failed. */
export class WorkQueue implements AsyncDisposable {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #working = new Map<string, Promise<void>>();
  /** How often keys have failed since they last succeeded. */
  readonly #failures = new Map<string, number>();
  readonly #later: Deadlines;
  #state: 'held' | 'running' | 'stopped' = 'held';

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#later = new Deadlines(options.clock, (key) => this.add(key));
  }

  /** Begins to work. */
  start(): void {
    if (this.#state !== 'held') return;
    this.#state = 'running';
    this.#next();
  }

  add(key: string): void {
    if (this.#state === 'stopped') return;
    this.#waiting.add(key);
    this.#next();
  }

  addAfter(key: string, delayMs: number): void {
    if (delayMs <= 0) this.add(key);
    else if (this.#state !== 'stopped') this.#later.set(key, this.#options.clock.now() + delayMs);
  }

  /** Resolves when what is being worked on has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'stopped';
    this.#later[Symbol.dispose]();
    this.#waiting.clear();
    await Promise.all(this.#working.values());
  }

  #next(): void {
    if (this.#state !== 'running') return;
    for (const key of this.#waiting) {
      if (this.#working.size >= this.#options.workers) return;
      if (this.#working.has(key)) continue;
      this.#waiting.delete(key);
      this.#working.set(key, this.#work(key));
    }
  }

  async #work(key: string): Promise<void> {
    try {
      await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      if (this.#state === 'stopped') return;
      if (!isNoNews(error)) this.#options.onError(error);
      this.#tryAgain(key);
    } finally {
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
    const { firstDelayMs = defaultDelayMs } = this.#options;
    this.addAfter(key, Math.min(firstDelayMs * 2 ** failures, longestDelayMs));
  }
}

/** Somebody else was faster, or it is too early. */
function isNoNews(error: unknown): boolean {
  return error instanceof NotYet || isReason(error, 'Conflict') || isReason(error, 'AlreadyExists');
}
