/**
 * How many requests this machine can bear. What seats protect here is the event loop: a request that only needs the CPU
 * ends in the same round of the loop in which it began, so that it would never meet another one on a seat. While the
 * loop is strained, or the seats of a level are scarce, a request that has ended therefore keeps its seats until the
 * round is over, and the loop has time for the next one:
 *
 *     a round of the loop   requests arrive: those that find a seat run, others wait in queues
 *     at its end            seats become free one request at a time, and whatever gets them runs at once;
 *                           after five milliseconds the other seats have to wait for the end of the next round
 *
 * So a seat serves one request in a round, the configured seats are the most that there can be, and how many of them
 * are used follows what requests cost on this machine. The loop is strained when a round takes long, or when a request
 * has waited long to be looked at; it recovers when neither has happened for a second, and no seat has had to wait.
 * Nothing is measured while nothing is requested.
 */

const longMs = 20;
const strainMs = 1_000;
/** What requests from the queues may take of a round. */
const budgetMs = 5;
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
  /** From earlier rounds, which had no time for them. */
  #late: (() => boolean)[] = [];
  #isScheduled = false;

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
    this.#held.push(release);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.afterRound(() => this.#releaseAll());
  }

  #strain(nowMs: number): void {
    this.#strainedUntilMs = nowMs + strainMs;
  }

  /** What gets a seat and ends at once keeps it until the next round. */
  #releaseAll(): void {
    const { now, afterWork } = this.#options;
    const seats = this.#late.length === 0 ? this.#held : [...this.#late, ...this.#held];
    [this.#held, this.#late] = [[], []];
    const endMs = now() + budgetMs;
    let next = 0;
    const releaseNext = (): void => {
      while (next < seats.length && now() < endMs) {
        const hasBegun = seats[next]?.();
        next += 1;
        if (hasBegun !== true) continue;
        afterWork(releaseNext);
        return;
      }
      if (next < seats.length) {
        this.#strain(endMs);
        this.#late = seats.slice(next);
      }
      this.#isScheduled = false;
      if (this.#late.length + this.#held.length > 0) this.#schedule();
    };
    releaseNext();
  }
}
