import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../time/clock.ts';

export interface TokenBucketOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly qps: number;
  readonly burst: number;
}

/** Limits a rate, and the burst after idle time. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  /** Negative while callers wait. */
  #tokens: number;
  #atMs: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
    this.#atMs = options.clock.now();
  }

  /** Takes a token; false if there is none. */
  tryTake(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes a token, and resolves when it is there. */
  async take(): Promise<void> {
    this.#fill();
    this.#tokens -= 1;
    if (this.#tokens < 0) await sleep((-this.#tokens * 1_000) / this.#options.qps);
  }

  #fill(): void {
    const { clock, qps, burst } = this.#options;
    const nowMs = Math.max(this.#atMs, clock.now());
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#atMs) / 1_000) * qps);
    this.#atMs = nowMs;
  }
}
