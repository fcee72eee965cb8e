import type { SharedFlowControl } from './flow-control.ts';

/** Parts that count for this thread alone, or together with other threads: from the beginning, later or never. */
export class SeatSharing {
  #shared: SharedFlowControl | undefined;
  readonly #parts: ((shared: SharedFlowControl) => void)[] = [];

  /** `shared`: there are other threads from the beginning. */
  constructor(shared?: SharedFlowControl) {
    this.#shared = shared;
  }

  /** `share` is called now, or when there are other threads. */
  join(share: (shared: SharedFlowControl) => void): void {
    if (this.#shared === undefined) this.#parts.push(share);
    else share(this.#shared);
  }

  /** There are other threads from now on. */
  begin(shared: SharedFlowControl): void {
    this.#shared = shared;
    for (const share of this.#parts.splice(0)) share(shared);
  }
}
