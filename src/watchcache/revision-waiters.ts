import { longestTimerMs } from '../api/time/deadline.ts';

interface Waiter {
  readonly revision: number;
  readonly settle: (reached: boolean) => void;
}

/** Callers waiting for the cache to reach a revision. */
export class RevisionWaiters {
  readonly #waiters = new Set<Waiter>();

  /** True once `revision` is reached, false after `timeoutMs`. */
  wait(revision: number, timeoutMs: number): Promise<boolean> {
    if (timeoutMs <= 0) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => waiter.settle(false), Math.min(timeoutMs, longestTimerMs));
    const waiter: Waiter = {
      revision,
      settle: (reached) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(reached);
      },
    };
    this.#waiters.add(waiter);
    return promise;
  }

  reached(revision: number): void {
    if (this.#waiters.size === 0) return;
    for (const waiter of Array.from(this.#waiters)) if (waiter.revision <= revision) waiter.settle(true);
  }
}
