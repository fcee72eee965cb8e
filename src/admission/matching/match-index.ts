import type { AdmissionAttributes } from '../../api/contracts/admission.ts';

/**
 * Matches for an operation on a resource, as far as rules decide. Computed once per state of the catalogue, so
 * that a write which nothing matches pays for a lookup.
 */
export class MatchIndex<T extends object> {
  readonly #find: (attributes: AdmissionAttributes) => T;
  #found = new WeakMap<object, T>();

  /** `find` must not depend on more than operation, resource and subresource. */
  constructor(find: (attributes: AdmissionAttributes) => T) {
    this.#find = find;
  }

  get(attributes: AdmissionAttributes): T {
    const { place } = attributes;
    let found = this.#found.get(place);
    if (found === undefined) this.#found.set(place, (found = this.#find(attributes)));
    return found;
  }

  /** To be called when rules have changed. */
  clear(): void {
    this.#found = new WeakMap();
  }
}
