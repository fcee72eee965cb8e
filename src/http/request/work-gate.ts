import { Turns } from '../../api/turns.ts';

/** Smaller bodies skip the gate: they are cheap whatever they contain. */
const minGatedBytes = 16 * 1024;
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
export class WorkGate {
  readonly #waiting: Waiter[] = [];
  #cost = 0;

  /**
   * Waits for capacity for a body of this size, then for a turn of the event loop. Resolves to a function that releases
   * it; undefined if the body skips the gate.
   */
  enter(bodyBytes: number): Promise<() => void> | undefined {
    return bodyBytes < minGatedBytes ? undefined : this.#enter(bodyBytes);
  }

  async #enter(bodyBytes: number): Promise<() => void> {
    const cost = Math.min(bodyBytes * costPerByte, maxCost);
    if (this.#waiting.length > 0 || !this.#hasRoom(cost)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ cost, enter: resolve });
      await promise;
    } else this.#cost += cost;
    // Many bodies may have completed in the same turn of the event loop.
    await new Turns().next();
    return this.#leaveOnce(cost);
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
      for (let next = this.#waiting[0]; next !== undefined && this.#hasRoom(next.cost); next = this.#waiting[0]) {
        this.#waiting.shift();
        this.#cost += next.cost;
        next.enter();
      }
    };
  }
}
