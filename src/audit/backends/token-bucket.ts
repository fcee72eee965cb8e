import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../api/clock.ts';

/** Limits the rate, and the burst after idle time. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor(clock: Clock, { qps, burst }: { readonly qps: number; readonly burst: number }) {
    this.#clock = clock;
    this.#perMs = qps / 1_000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = clock.now();
  }

  /** Resolves when the next one may pass. */
  async take(): Promise<void> {
    const nowMs = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#atMs) * this.#perMs) - 1;
    this.#atMs = nowMs;
    if (this.#tokens < 0) await sleep(-this.#tokens / this.#perMs);
  }
}
