import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn, msUntil, waitAtMost } from '../../api/time/deadline.ts';

/** A watch that goes on until it is ended. */
interface OpenWatch {
  /** Sends what is pending, and ends the response. */
  end(): void;
}

/** As in the reference; fewer would only delay the end of a server with few watches. */
const leastPerSecond = 200;
const stepMs = 50;

/** The watches of a server. */
export class OpenWatches {
  readonly #open = new Set<OpenWatch>();
  #allEnded: (() => void) | undefined;
  #isEnding = false;

  add(watch: OpenWatch): void {
    this.#open.add(watch);
    // It has begun before, and had to wait.
    if (this.#isEnding) watch.end();
  }

  delete(watch: OpenWatch): void {
    this.#open.delete(watch);
    if (this.#open.size === 0) this.#allEnded?.();
  }

  /**
   * Ends them all within `graceMs`, evenly, so that their clients do not all turn to the next server at once. Resolves
   * when their clients have been sent the rest, or after that time.
   */
  async endWithin(graceMs: number): Promise<void> {
    this.#isEnding = true;
    const untilMs = deadlineIn(graceMs);
    const watches = [...this.#open];
    const perSecond = Math.max(leastPerSecond, watches.length / (graceMs / 1_000));
    const perStep = Math.ceil((perSecond * stepMs) / 1_000);
    for (let ended = 0; ended < watches.length; ended += perStep) {
      if (ended > 0) await sleep(stepMs);
      for (const watch of watches.slice(ended, ended + perStep)) watch.end();
    }
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#allEnded = resolve;
    await waitAtMost(msUntil(untilMs), promise);
  }
}
