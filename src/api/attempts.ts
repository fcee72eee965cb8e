export interface AttemptsOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly onError: (error: unknown) => void;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** Whoever needed no second attempt for as long begins anew. */
const quietMs = 120_000;

/**
 * Attempts at what may fail for long: each waits twice as long as the one before, and up to as long again at random, so
 * that those who failed together do not come back together. An error that stays the same is told once.
 */
export class Attempts {
  readonly #options: Required<AttemptsOptions>;
  #nextMs: number;
  #againMs = Number.NEGATIVE_INFINITY;
  #told: string | undefined;

  constructor(options: AttemptsOptions) {
    this.#options = { now: () => performance.now(), random: Math.random, ...options };
    this.#nextMs = options.firstMs;
  }

  /** Tells the error, unless it was the last one as well. */
  failed(error: unknown): void {
    const text = String(error);
    if (text === this.#told) return;
    this.#told = text;
    this.#options.onError(error);
  }

  /** Errors from now on are news. */
  succeeded(): void {
    this.#told = undefined;
  }

  /** The next failure is a first one. */
  startOver(): void {
    this.#nextMs = this.#options.firstMs;
  }

  /** How long to wait before the next attempt. */
  delayMs(): number {
    const { longestMs, now, random } = this.#options;
    const nowMs = now();
    if (nowMs - this.#againMs > quietMs) this.startOver();
    const delayMs = this.#nextMs * (1 + random());
    this.#nextMs = Math.min(this.#nextMs * 2, longestMs);
    this.#againMs = nowMs + delayMs;
    return delayMs;
  }
}
