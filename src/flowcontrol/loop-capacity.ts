/**
 * How many requests this machine can bear. What seats protect here is the event loop: a request that only needs the CPU
 * ends in the same round of the loop in which it began, so that it would never meet another one on a seat. While the
 * loop is strained, a request that has ended therefore keeps its seats until the loop has time for the next one:
 *
 *     a round of the loop   requests arrive: those that find a seat run, others wait in queues
 *     at its end            seats become free one request at a time, and whatever gets them runs at once;
 *                           after ten milliseconds the other seats have to wait for the end of the next round
 *
 * So the configured seats are the most that there can be, and how many of them are used follows what requests cost on
 * this machine. The loop is strained when a round takes long, or when a request has waited long to be looked at; it
 * recovers when neither has happened for a second, and no seat has had to wait. Nothing is measured while nothing is
 * requested.
 */

const longMs = 20;
const strainMs = 1_000;
/** What requests from the queues may take of a round. */
const budgetMs = 10;
/** Measuring takes a microsecond, so not every request does. */
const probeMs = 10;

export interface LoopCapacityOptions {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Calls it at the end of the current round. */
  readonly afterRound: (run: () => void) => void;
  /** Calls it when what was begun has run as far as it can without waiting. */
  readonly afterWork: (run: () => void) => void;
}

export class LoopCapacity {
  readonly #options: LoopCapacityOptions;
  #strainedUntilMs = -Infinity;
  #probedMs = -Infinity;
  /** Return whether another request has begun. */
  #held: (() => boolean)[] = [];
  /** Of the first one that has not been released. */
  #next = 0;

  constructor(options: LoopCapacityOptions) {
    this.#options = options;
  }

  /** Whether seats of requests that have ended stay taken. */
  get isStrained(): boolean {
    return this.#strainedUntilMs > this.#probedMs;
  }

  /** A request is looked at that arrived at `arrivedMs`. */
  sees(arrivedMs: number, nowMs: number): void {
    if (nowMs - arrivedMs > longMs) this.#strain(nowMs);
    if (nowMs - this.#probedMs < probeMs) return;
    this.#probedMs = nowMs;
    this.#options.afterRound(() => {
      const endMs = this.#options.now();
      if (endMs - nowMs > longMs) this.#strain(endMs);
    });
  }

  /** Releases seats when the loop has time for another request; `release` returns whether one has begun. */
  hold(release: () => boolean): void {
    if (this.#held.push(release) === 1) this.#options.afterRound(() => this.#releaseInRound());
  }

  #strain(nowMs: number): void {
    this.#strainedUntilMs = nowMs + strainMs;
  }

  #releaseInRound(): void {
    const { now, afterRound, afterWork } = this.#options;
    const endMs = now() + budgetMs;
    const releaseNext = (): void => {
      for (; this.#next < this.#held.length;) {
        if (now() >= endMs) {
          this.#strain(endMs);
          afterRound(() => this.#releaseInRound());
          return;
        }
        const hasBegun = this.#held[this.#next]?.();
        this.#next += 1;
        if (hasBegun !== true) continue;
        afterWork(releaseNext);
        return;
      }
      this.#held = [];
      this.#next = 0;
    };
    releaseNext();
  }
}
