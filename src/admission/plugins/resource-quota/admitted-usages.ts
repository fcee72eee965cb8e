import { LruMap } from '../../../api/collections/lru-map.ts';
import type { Usage } from './evaluator.ts';

/**
 * What objects that are being created use, by their uid: admission has worked it out, so that the controller does not
 * have to read them for it.
 */
export class AdmittedUsages {
  /** Some objects are perhaps never stored. */
  readonly #usages = new LruMap<string, Usage>(1_000);

  note(uid: string, usage: Usage): void {
    this.#usages.set(uid, usage);
  }

  take(uid: string): Usage | undefined {
    const usage = this.#usages.get(uid);
    this.#usages.delete(uid);
    return usage;
  }
}
