import type { Soon } from './soon.ts';

/** Delayed writes, which are flushed before anyone reads their effects. */
export class DelayedWrites {
  readonly #sources: ((namespace: string) => Soon<void>)[] = [];

  /** `flush` makes pending writes, returning undefined if there are none; it does not throw. */
  add(flush: (namespace: string) => Soon<void>): void {
    this.#sources.push(flush);
  }

  /** Writes what is due in one namespace, or in all when it is empty. Undefined when nothing is due. */
  flush(namespace = ''): Soon<void> {
    const pending = this.#sources.map((flush) => flush(namespace)).filter((each) => each !== undefined);
    if (pending.length > 0) return Promise.all(pending).then(() => undefined);
  }
}
