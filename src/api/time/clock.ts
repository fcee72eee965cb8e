/** The source of time, replaceable in tests. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `jumped` whenever the clock has been set forward, with how many milliseconds; absent: it never is. */
  onJump?(jumped: (ms: number) => void): Disposable;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that goes on by itself, and can be set forward. */
export class MovableClock implements Clock {
  readonly #followers = new Set<(ms: number) => void>();
  #aheadMs: number;

  /** `aheadMs` of the system's clock. */
  constructor(aheadMs = 0) {
    this.#aheadMs = aheadMs;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  onJump(jumped: (ms: number) => void): Disposable {
    this.#followers.add(jumped);
    return { [Symbol.dispose]: () => void this.#followers.delete(jumped) };
  }

  /** Throws a RangeError unless `ms` is a number from 0 on. */
  advance(ms: number): void {
    if (!(ms >= 0 && Number.isFinite(ms))) throw new RangeError(`a clock cannot be advanced by ${ms} ms`);
    this.#aheadMs += ms;
    for (const jumped of this.#followers) jumped(ms);
  }
}
