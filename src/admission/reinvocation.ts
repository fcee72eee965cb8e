import { isDeepStrictEqual } from 'node:util';
import { cloneObject, type KubernetesObject } from '../api/object.ts';

/** What a plugin that calls others to change an object remembers of one request between the two passes of admission. */
export class Reinvocation {
  /** The object as they left it. */
  #output: KubernetesObject | undefined;
  /** Those that want another call when the object changes after theirs. */
  readonly #invoked = new Set<string>();
  readonly #due = new Set<string>();

  keep(object: KubernetesObject | undefined): void {
    this.#output = object === undefined ? undefined : cloneObject(object);
  }

  isChanged(object: KubernetesObject | undefined): boolean {
    return !isDeepStrictEqual(this.#output, object);
  }

  invoked(uid: string): void {
    this.#invoked.add(uid);
  }

  /** All that have been called so far, and want to be, are due again. */
  changed(): void {
    for (const uid of this.#invoked) this.#due.add(uid);
    this.#invoked.clear();
  }

  isDue(uid: string): boolean {
    return this.#due.has(uid);
  }
}
