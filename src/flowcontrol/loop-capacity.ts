/**
 * How many of the configured seats this machine can bear. What seats protect here is the event loop: a request that only
 * needs the CPU ends in the same round of the loop in which it began, so that it would never meet another one on a seat.
 * While the loop is strained, seats therefore stay taken until the round ends. A round then serves as many requests as
 * there are seats, others wait in the queues, and the number of seats follows the length of the rounds:
 *
 *     round longer than 20 ms    fewer seats, in proportion, but at least a sixteenth
 *     round shorter than 10 ms   a twentieth more, up to all
 *
 * The loop is strained when a round takes that long, or when a request has waited so long to be looked at; it recovers
 * when neither has happened for a second. Nothing is measured while nothing is requested.
 */

const longMs = 20;
const shortMs = 10;
const leastShare = 1 / 16;
const growth = 1.05;
const strainMs = 1_000;
/** Measuring takes a microsecond, so not every request does. */
const probeMs = 10;

export interface LoopCapacityOptions {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Calls it at the end of the current round. */
  readonly afterRound: (run: () => void) => void;
}

export class LoopCapacity {
  readonly #options: LoopCapacityOptions;
  #strainedUntilMs = -Infinity;
  #probedMs = -Infinity;
  #share = 1;
  #held: (() => void)[] = [];

  constructor(options: LoopCapacityOptions) {
    this.#options = options;
  }

  /** Above 0, at most 1. */
  get share(): number {
    return this.#share;
  }

  /** Whether seats stay taken until the round ends. */
  get holdsSeats(): boolean {
    return this.#strainedUntilMs > this.#probedMs;
  }

  /** A request is looked at that arrived at `arrivedMs`. */
  sees(arrivedMs: number, nowMs: number): void {
    if (nowMs - arrivedMs > longMs) this.#strainedUntilMs = nowMs + strainMs;
    if (nowMs - this.#probedMs < probeMs) return;
    this.#probedMs = nowMs;
    this.#options.afterRound(() => this.#measured(this.#options.now() - nowMs));
  }

  /** Runs it at the end of the round, together with all others. */
  atEndOfRound(run: () => void): void {
    if (this.#held.push(run) > 1) return;
    const beganMs = this.#options.now();
    this.#options.afterRound(() => {
      const held = this.#held;
      this.#held = [];
      this.#measured(this.#options.now() - beganMs);
      for (const release of held) release();
    });
  }

  #measured(roundMs: number): void {
    if (roundMs > longMs) {
      this.#strainedUntilMs = this.#options.now() + strainMs;
      this.#share = Math.max(leastShare, this.#share * Math.max(0.5, longMs / roundMs));
    } else if (roundMs < shortMs) this.#share = Math.min(1, this.#share * growth);
  }
}
