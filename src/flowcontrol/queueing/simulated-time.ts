import type { QueueSetTiming } from './queue-set.ts';

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Time that passes only from one event to the next, for tests. */
export class SimulatedTime implements QueueSetTiming {
  holdsSeats = false;
  #nowMs = 0;
  #order = 0;
  #events: Event[] = [];

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): void {
    const event = { atMs: this.#nowMs + ms, order: this.#order++, run };
    const place = this.#events.findIndex(({ atMs }) => atMs > event.atMs);
    this.#events.splice(place < 0 ? this.#events.length : place, 0, event);
  }

  /** The machine always has time. */
  hold(release: () => boolean): void {
    this.after(0, () => void release());
  }

  /** Runs all events up to a time. */
  runTo(ms: number): void {
    for (let next = this.#events[0]; next !== undefined && next.atMs <= ms; next = this.#events[0]) {
      this.#events.shift();
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = ms;
  }
}
