import type { Soon } from './soon.ts';

/** Writes that are made a little later than they are due: all of them are made first for those who need to see them. */
export class DelayedWrites {
  readonly #sources: ((namespace: string) => Soon<void>)[] = [];

  /** `flush` writes what is due, and returns undefined if there is nothing; it does not throw. */
  add(flush: (namespace: string) => Soon<void>): void {
    this.#sources.push(flush);
  }

  /** Of one namespace, or of all when it is empty. Undefined when nothing is due. */
  flush(namespace = ''): Soon<void> {
    const pending = this.#sources.map((flush) => flush(namespace)).filter((each) => each !== undefined);
    if (pending.length > 0) return Promise.all(pending).then(() => undefined);
  }
}
