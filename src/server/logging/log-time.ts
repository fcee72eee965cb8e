import type { Clock } from '../../api/clock.ts';

const toleratedMs = 2;

/** Of `performance.now()`, from the clock that all threads of the machine have. */
function machineOffsetMs(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1_000 + nanos / 1e6 - performance.now();
}

/**
 * The time with a fraction of the millisecond, which the clock has not; it follows the clock when that is set. Threads
 * that share `shift` tell the same time.
 */
export class LogTime {
  readonly #clock: Clock;
  readonly #offsetMs = machineOffsetMs();
  /** From the machine's clock to the epoch. */
  readonly #shift: Float64Array;

  constructor(clock: Clock, shift?: Float64Array) {
    this.#clock = clock;
    this.#shift = shift ?? new Float64Array([performance.timeOrigin - this.#offsetMs]);
  }

  get shiftMs(): number {
    return this.#shift[0] ?? 0;
  }

  /** By the machine's clock, which is never set: of two lines, whichever threads told them, the later one has more. */
  machineMs(): number {
    return performance.now() + this.#offsetMs;
  }

  /** Since the epoch. */
  epochMs(machineMs: number): number {
    const wallMs = this.#clock.now();
    const ms = this.shiftMs + machineMs;
    if (Math.abs(ms - wallMs) < toleratedMs) return ms;
    this.#shift[0] = wallMs - machineMs;
    return wallMs;
  }
}
