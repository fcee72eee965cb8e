import { Turns } from '../../api/turns.ts';

/** Smaller bodies are worked on at once: they cost little, however they are written. */
const minGatedBytes = 16 * 1024;
/** What a body may cost at most: as many small objects as one may hold come in an eighth of the bytes that one may have. */
const maxCost = 3 * 1024 * 1024;
const costPerByte = 8;
/** A body of the largest size becomes some 100 MiB of objects while it is worked on. */
const capacity = 4 * maxCost;

interface Waiter {
  readonly cost: number;
  enter(): void;
}

/**
 * Large bodies are worked on few at a time: that many at once take no less time, and all their objects are in memory together. Who waits does so in the
 * order of coming and holds nothing but the bytes of the body.
 */
export class WorkGate {
  readonly #waiting: Waiter[] = [];
  #cost = 0;

  /** Waits until a body of that size may be worked on, and for a turn of the event loop. The answer ends the work; undefined: there is nothing to wait for or to end. */
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
    // Many bodies may have come whole in the same round of the loop.
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
