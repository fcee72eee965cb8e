import { Backoff, type BackoffOptions } from './backoff.ts';

export interface AttemptsOptions extends BackoffOptions {
  readonly onError: (error: unknown) => void;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}

/** Whoever needed no second attempt for as long begins anew. */
const quietMs = 120_000;

/** Attempts at what may fail for long, with up to twice the delays of a backoff. A repeated error is reported once. */
export class Attempts extends Backoff {
  readonly #onError: (error: unknown) => void;
  readonly #now: () => number;
  #againMs = Number.NEGATIVE_INFINITY;
  #reported: string | undefined;

  constructor({ onError, now = () => performance.now(), ...options }: AttemptsOptions) {
    super({ jitter: 1, ...options });
    this.#onError = onError;
    this.#now = now;
  }

  /** Tells the error, unless it was the last one as well. */
  failed(error: unknown): void {
    const text = String(error);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#onError(error);
  }

  /** Errors from now on are news. */
  succeeded(): void {
    this.#reported = undefined;
  }

  override delayMs(): number {
    const nowMs = this.#now();
    if (nowMs - this.#againMs > quietMs) this.startOver();
    const delayMs = super.delayMs();
    this.#againMs = nowMs + delayMs;
    return delayMs;
  }
}
