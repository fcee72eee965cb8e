/**
 * Observes a ratio for each nanosecond that passes, as kube-apiserver's timing histograms do. Each request changes it
 * several times, and it is seldom read: the time of each numerator is added up here, and observed when it is read.
 */
export class RatioHistogram {
  readonly #observe: (ratio: number, nanos: number) => void;
  #denominator = 1;
  /** By numerator; numerators are small whole numbers. */
  #nanos: number[] = [];

  constructor(observe: (ratio: number, nanos: number) => void) {
    this.#observe = observe;
  }

  /** The numerator has been this for so long. */
  count(numerator: number, nanos: number): void {
    this.#nanos[numerator] = (this.#nanos[numerator] ?? 0) + nanos;
  }

  /** For the time that is counted from now on. */
  setDenominator(denominator: number): void {
    if (denominator === this.#denominator) return;
    this.flush();
    this.#denominator = denominator;
  }

  /** Observes the time that has been counted. */
  flush(): void {
    for (const [numerator, nanos = 0] of this.#nanos.entries()) {
      if (nanos > 0) this.#observe(numerator / this.#denominator, nanos);
    }
    this.#nanos = [];
  }
}
