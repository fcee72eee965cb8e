/** A tree of names: joined, they would be hashed anew with each write. */
class Branch {
  readonly #branches = new Map<string, Branch>();

  at(name: string): Branch {
    let branch = this.#branches.get(name);
    if (branch === undefined) this.#branches.set(name, (branch = new Branch()));
    return branch;
  }
}

const roots = new WeakMap<object, Branch>();

export interface AdmissionPlace {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
}

/** One object for each operation on a resource, as long as the catalogue stays. */
export function admissionPlace(catalogue: object, place: AdmissionPlace): object {
  let root = roots.get(catalogue);
  if (root === undefined) roots.set(catalogue, (root = new Branch()));
  const { operation, group, version, resource, subresource } = place;
  return root.at(operation).at(group).at(version).at(resource).at(subresource);
}
