import type { Usage } from './evaluator.ts';

const largest = 1000;

/**
 * What objects that are being created use, by their uid: admission has worked it out, so that the controller does not
 * have to read them for it.
 */
export class AdmittedUsages {
  readonly #usages = new Map<string, Usage>();

  note(uid: string, usage: Usage): void {
    this.#usages.set(uid, usage);
    if (this.#usages.size <= largest) return;
    // The oldest, which perhaps was never stored.
    for (const oldest of this.#usages.keys()) {
      this.#usages.delete(oldest);
      return;
    }
  }

  take(uid: string): Usage | undefined {
    const usage = this.#usages.get(uid);
    this.#usages.delete(uid);
    return usage;
  }
}
