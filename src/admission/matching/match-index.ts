import type { AdmissionAttributes } from '../../api/admission.ts';

/**
 * Matches for an operation on a resource, as far as rules decide. Computed once per state of the catalogue, so
 * that a write which nothing matches pays for two lookups.
 */
export class MatchIndex<T> {
  readonly #find: (attributes: AdmissionAttributes) => T;
  /** By the state of the catalogue, then by operation and resource. */
  #found = new WeakMap<object, Map<string, T>>();

  /** `find` must not depend on more than operation, resource and subresource. */
  constructor(find: (attributes: AdmissionAttributes) => T) {
    this.#find = find;
  }

  get(attributes: AdmissionAttributes): T {
    const { served, operation, group, version, resource, subresource } = attributes;
    let known = this.#found.get(served);
    if (known === undefined) this.#found.set(served, (known = new Map()));
    const key = `${operation} ${group}/${version}/${resource}/${subresource}`;
    let found = known.get(key);
    if (found === undefined) {
      found = this.#find(attributes);
      known.set(key, found);
    }
    return found;
  }

  /** To be called when rules have changed. */
  clear(): void {
    this.#found = new WeakMap();
  }
}
