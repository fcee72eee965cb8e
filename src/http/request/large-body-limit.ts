import { inTime } from './in-time.ts';

/** Smaller bodies do not count: they are cheap whatever they contain. */
const minLimitedBytes = 16 * 1024;
/**
 * The cost of a body is capped here: an eighth of the maximum size can hold as many small objects as a body may have.
 */
const maxCost = 3 * 1024 * 1024;
const costPerByte = 8;
/** A body of maximum size becomes about 100 MiB of objects while it is processed. */
const capacity = 4 * maxCost;

interface Waiter {
  readonly cost: number;
  enter(): void;
}

/**
 * Limits how many large bodies are processed at once: more would not finish sooner, and all their objects would be in
 * memory together. Requests wait in order of arrival, holding only the bytes of the body.
 */
export class LargeBodyLimit {
  readonly #waiting = new Set<Waiter>();
  #cost = 0;

  /**
   * Waits for capacity for a body of this size. Resolves to a function that releases it; undefined if the body does not
   * count. Rejects with a LateRequestError when there is none until the deadline.
   */
  enter(bodyBytes: number, deadlineMs: number): Promise<() => void> | undefined {
    return bodyBytes < minLimitedBytes ? undefined : this.#enter(bodyBytes, deadlineMs);
  }

  async #enter(bodyBytes: number, deadlineMs: number): Promise<() => void> {
    const cost = Math.min(bodyBytes * costPerByte, maxCost);
    if (this.#waiting.size > 0 || !this.#hasRoom(cost)) await this.#room(cost, deadlineMs);
    else this.#cost += cost;
    return this.#leaveOnce(cost);
  }

  async #room(cost: number, deadlineMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { cost, enter: resolve };
    this.#waiting.add(waiter);
    try {
      await inTime({ deadlineMs }, promise);
    } catch (error) {
      this.#waiting.delete(waiter);
      throw error;
    }
  }

  #hasRoom(cost: number): boolean {
    return this.#cost + cost <= capacity;
  }

  #leaveOnce(cost: number): () => void {
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#cost -= cost;
      for (const next of this.#waiting) {
        if (!this.#hasRoom(next.cost)) break;
        this.#waiting.delete(next);
        this.#cost += next.cost;
        next.enter();
      }
    };
  }
}
