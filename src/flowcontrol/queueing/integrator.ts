/** What a number did over a period. */
export interface PeriodStatistics {
  readonly seconds: number;
  /** Weighted by time; NaN for an empty period. */
  readonly average: number;
  readonly deviation: number;
  readonly max: number;
}

/** Follows a number that changes at certain times. Times are in milliseconds. */
export class Integrator {
  #sinceMs: number;
  #value = 0;
  #max = 0;
  #seconds = 0;
  #integral = 0;
  #integralOfSquares = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  get value(): number {
    return this.#value;
  }

  set(value: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#value = value;
    if (value > this.#max) this.#max = value;
  }

  /** The statistics up to now; the next period begins. */
  reset(nowMs: number): PeriodStatistics {
    this.#advance(nowMs);
    const seconds = this.#seconds;
    const average = seconds <= 0 ? Number.NaN : this.#integral / seconds;
    const variance = this.#integralOfSquares / seconds - average * average;
    const deviation = variance >= 0 ? Math.sqrt(variance) : Number.NaN;
    const statistics = { seconds, average, deviation, max: this.#max };
    this.#seconds = this.#integral = this.#integralOfSquares = 0;
    this.#max = this.#value;
    return statistics;
  }

  #advance(nowMs: number): void {
    const seconds = (nowMs - this.#sinceMs) / 1_000;
    this.#sinceMs = nowMs;
    this.#seconds += seconds;
    this.#integral += this.#value * seconds;
    this.#integralOfSquares += this.#value * this.#value * seconds;
  }
}
