import type { Finish } from '../../../../registry/strategy.ts';

/** What one write takes and gives back: taken at once, given back when the write has succeeded, undone when it has failed. */
export class Reservation {
  readonly dryRun: boolean;
  readonly #undo: (() => Promise<void>)[] = [];
  readonly #release: (() => Promise<void>)[] = [];

  constructor(dryRun: boolean) {
    this.dryRun = dryRun;
  }

  /** What has been taken is given back by this when the write fails. Must not throw. */
  onFailure(undo: () => Promise<void>): void {
    if (!this.dryRun) this.#undo.push(undo);
  }

  /** Gives back what is no longer needed when the write has succeeded. Must not throw. */
  onSuccess(release: () => Promise<void>): void {
    if (!this.dryRun) this.#release.push(release);
  }

  /** Undefined when there is nothing to end. */
  get finish(): Finish | undefined {
    if (this.#undo.length === 0 && this.#release.length === 0) return undefined;
    return async (succeeded) => {
      for (const end of succeeded ? this.#release : this.#undo) await end();
    };
  }
}
