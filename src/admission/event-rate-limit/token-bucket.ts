/** Gives so many tokens at once, and so many more each second. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor({
    perSecond,
    burst,
    nowMs,
  }: {
    readonly perSecond: number;
    readonly burst: number;
    readonly nowMs: number;
  }) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** False when there is none left. */
  take(nowMs: number): boolean {
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = Math.max(nowMs, this.#atMs);
    this.#tokens = Math.min(this.#burst, this.#tokens + (passedMs / 1000) * this.#perSecond);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
