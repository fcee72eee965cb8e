import type { AdmissionAttributes } from '../../api/admission.ts';

/** A tree of names: joined, they would be hashed anew with each write. */
class Branch<T> {
  found: T | undefined;
  readonly #branches = new Map<string, Branch<T>>();

  at(name: string): Branch<T> {
    let branch = this.#branches.get(name);
    if (branch === undefined) this.#branches.set(name, (branch = new Branch()));
    return branch;
  }
}

/**
 * Matches for an operation on a resource, as far as rules decide. Computed once per state of the catalogue, so
 * that a write which nothing matches pays for lookups of names.
 */
export class MatchIndex<T extends object> {
  readonly #find: (attributes: AdmissionAttributes) => T;
  /** By the state of the catalogue, then by operation and resource. */
  #found = new WeakMap<object, Branch<T>>();

  /** `find` must not depend on more than operation, resource and subresource. */
  constructor(find: (attributes: AdmissionAttributes) => T) {
    this.#find = find;
  }

  get(attributes: AdmissionAttributes): T {
    const { served, operation, group, version, resource, subresource } = attributes;
    let known = this.#found.get(served);
    if (known === undefined) this.#found.set(served, (known = new Branch()));
    const branch = known.at(operation).at(group).at(version).at(resource).at(subresource);
    return (branch.found ??= this.#find(attributes));
  }

  /** To be called when rules have changed. */
  clear(): void {
    this.#found = new WeakMap();
  }
}
