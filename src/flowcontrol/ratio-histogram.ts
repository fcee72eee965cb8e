const nanosPerMs = 1_000_000;

/**
 * Observes a ratio for each nanosecond that passes, as kube-apiserver's timing histograms do. Each request changes it
 * several times, and it is seldom read: the time of each numerator is added up here, and observed when it is read.
 */
export class RatioHistogram {
  readonly #observe: (ratio: number, nanos: number) => void;
  #numerator = 0;
  #denominator = 1;
  #sinceMs: number;
  /** By numerator; numerators are small whole numbers. */
  #nanos: number[] = [];

  constructor(observe: (ratio: number, nanos: number) => void, nowMs: number) {
    this.#observe = observe;
    this.#sinceMs = nowMs;
  }

  set(numerator: number, nowMs: number): void {
    if (numerator === this.#numerator) return;
    this.#count(nowMs);
    this.#numerator = numerator;
  }

  add(by: number, nowMs: number): void {
    this.set(this.#numerator + by, nowMs);
  }

  setDenominator(denominator: number, nowMs: number): void {
    if (denominator === this.#denominator) return;
    this.flush(nowMs);
    this.#denominator = denominator;
  }

  /** Observes the time up to now. */
  flush(nowMs: number): void {
    this.#count(nowMs);
    for (const [numerator, nanos = 0] of this.#nanos.entries()) {
      if (nanos > 0) this.#observe(numerator / this.#denominator, nanos);
    }
    this.#nanos = [];
  }

  #count(nowMs: number): void {
    const nanos = Math.round((nowMs - this.#sinceMs) * nanosPerMs);
    if (nanos <= 0) return;
    this.#sinceMs = nowMs;
    this.#nanos[this.#numerator] = (this.#nanos[this.#numerator] ?? 0) + nanos;
  }
}
