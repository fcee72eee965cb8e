import type { Clock } from '../../api/time/clock.ts';

const toleratedMs = 2;

/** A thread may have to wait for a core between two looks at its clocks: of several pairs, the closest counts. */
const looks = 5;

/** The offset of `performance.now()` from the clock that all threads of the machine share. */
function machineOffsetMs(): number {
  let closest = { apartMs: Number.POSITIVE_INFINITY, offsetMs: 0 };
  for (let look = 0; look < looks; look += 1) {
    const beforeMs = performance.now();
    const [seconds, nanos] = process.hrtime();
    const apartMs = performance.now() - beforeMs;
    if (apartMs < closest.apartMs) closest = { apartMs, offsetMs: seconds * 1_000 + nanos / 1e6 - beforeMs };
  }
  return closest.offsetMs;
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
    if (Math.abs(this.shiftMs + machineMs - this.#clock.now()) >= toleratedMs) this.#followClock();
    return this.shiftMs + machineMs;
  }

  /** It may only look as if the clock had been set: a thread that waits for a core between two looks sees that, too. */
  #followClock(): void {
    const beforeMs = this.machineMs();
    const wallMs = this.#clock.now();
    const waitedMs = this.machineMs() - beforeMs;
    const wasSet = Math.abs(this.shiftMs + beforeMs - wallMs) >= toleratedMs + waitedMs;
    if (wasSet) this.#shift[0] = wallMs - beforeMs;
  }
}
