import { isDeepStrictEqual } from 'node:util';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';

/** What a mutating plugin remembers of a request between the two passes of admission. */
export class Reinvocation {
  /** The object as they left it. */
  #output: KubernetesObject | undefined;
  /** Plugins to be called again if the object changes after their call. */
  readonly #invoked = new Set<string>();
  readonly #due = new Set<string>();

  /** To be called at the end of a pass. */
  keep(object: KubernetesObject | undefined): void {
    this.#output = object === undefined || !this.#isAnyWaiting ? undefined : cloneObject(object);
  }

  /** Whether something else has changed the object since; false if nobody would be called again. */
  isChanged(object: KubernetesObject | undefined): boolean {
    return this.#isAnyWaiting && !isDeepStrictEqual(this.#output, object);
  }

  /** Without any, a change has no effect. */
  get #isAnyWaiting(): boolean {
    return this.#invoked.size > 0;
  }

  invoked(uid: string): void {
    this.#invoked.add(uid);
  }

  /** All reinvocable ones called so far are due again. */
  changed(): void {
    for (const uid of this.#invoked) this.#due.add(uid);
    this.#invoked.clear();
  }

  isDue(uid: string): boolean {
    return this.#due.has(uid);
  }
}
