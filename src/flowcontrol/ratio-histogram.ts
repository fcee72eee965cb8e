const nanosPerMs = 1_000_000;

/**
 * Observes a ratio for each nanosecond that passes, as kube-apiserver's timing histograms do: when it changes, the time
 * since the last change is counted at once.
 */
export class RatioHistogram {
  readonly #observe: (ratio: number, nanos: number) => void;
  #numerator = 0;
  #denominator = 1;
  #sinceMs: number;

  constructor(observe: (ratio: number, nanos: number) => void, nowMs: number) {
    this.#observe = observe;
    this.#sinceMs = nowMs;
  }

  set(numerator: number, nowMs: number): void {
    if (numerator === this.#numerator) return;
    this.flush(nowMs);
    this.#numerator = numerator;
  }

  add(by: number, nowMs: number): void {
    this.set(this.#numerator + by, nowMs);
  }

  setDenominator(denominator: number, nowMs: number): void {
    this.flush(nowMs);
    this.#denominator = denominator;
  }

  /** Counts the time up to now. */
  flush(nowMs: number): void {
    const nanos = Math.round((nowMs - this.#sinceMs) * nanosPerMs);
    if (nanos <= 0) return;
    this.#sinceMs = nowMs;
    this.#observe(this.#numerator / this.#denominator, nanos);
  }
}
