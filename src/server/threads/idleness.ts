/** What a thread that nobody needs may do: answer those who ask whether it lives, for example. */
const idleShare = 0.02;

/**
 * Tells that a thread has had nothing to do for a while: no connection stayed, and those that came and went kept it
 * less busy than it is worth. Nothing runs while there are connections.
 *
 *     connections   ====  =                  -      -                ====
 *     told                  |<---- while ---------->| idle
 */
export class Idleness {
  readonly #afterMs: number | undefined;
  readonly #onIdle: () => void;
  #open = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasBegun = false;

  /** Without a time it never does. */
  constructor(afterMs: number | undefined, onIdle: () => void) {
    this.#afterMs = afterMs;
    this.#onIdle = onIdle;
  }

  readonly connectionsChanged = (open: number): void => {
    this.#open = open;
    if (open === 0) this.#wait();
  };

  /** The thread serves. */
  begin(): void {
    this.#hasBegun = true;
    if (this.#open === 0) this.#wait();
  }

  #wait(): void {
    if (!this.#hasBegun || this.#afterMs === undefined || this.#timer !== undefined) return;
    const before = performance.eventLoopUtilization();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#open > 0) return;
      if (performance.eventLoopUtilization(before).utilization <= idleShare) this.#onIdle();
      else this.#wait();
    }, this.#afterMs).unref();
  }
}
