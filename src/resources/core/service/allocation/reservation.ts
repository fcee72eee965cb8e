import type { Finish } from '../../../../registry/kinds/strategy.ts';

/**
 * The allocations of one write: allocations are made at once and undone if the write fails; releases happen once it has
 * succeeded.
 */
export class Reservation {
  readonly dryRun: boolean;
  readonly #undo: (() => Promise<void>)[] = [];
  readonly #release: (() => Promise<void>)[] = [];

  constructor(dryRun: boolean) {
    this.dryRun = dryRun;
  }

  /** Undoes an allocation if the write fails. Must not throw. */
  onFailure(undo: () => Promise<void>): void {
    if (!this.dryRun) this.#undo.push(undo);
  }

  /** Releases what is no longer needed once the write has succeeded. Must not throw. */
  onSuccess(release: () => Promise<void>): void {
    if (!this.dryRun) this.#release.push(release);
  }

  /** Undefined if there is nothing to finish. */
  get finish(): Finish | undefined {
    if (this.#undo.length === 0 && this.#release.length === 0) return undefined;
    return async (succeeded) => {
      for (const end of succeeded ? this.#release : this.#undo) await end();
    };
  }
}
