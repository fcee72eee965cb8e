import type { OwnerReference } from '../../api/object.ts';

/** Whether both references have the same coordinates. */
export function sameReference(a: OwnerReference, b: OwnerReference): boolean {
  return a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;
}

/** Coordinates and namespace of an owner as a key. */
function identity({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): string {
  return [apiVersion, kind, namespace, name, uid].join('/');
}

const mostAbsent = 500;

/** LRU cache of owners known to be absent. Uids are never reused, so entries stay valid. */
export class AbsentOwners {
  readonly #known = new Set<string>();
  readonly #lost = new Set<string>();

  /** The lookup failed. */
  add(reference: OwnerReference, namespace: string): void {
    keep(this.#known, identity(reference, namespace));
  }

  /** Its deletion was observed. */
  lost(reference: OwnerReference, namespace: string): void {
    this.add(reference, namespace);
    keep(this.#lost, reference.uid);
  }

  isLost(uid: string): boolean {
    return this.#lost.has(uid);
  }

  /** Looked up from `namespace`; cluster-scoped owners match from any. */
  has(reference: OwnerReference, namespace: string): boolean {
    return this.#known.has(identity(reference, '')) || this.#known.has(identity(reference, namespace));
  }
}

/** Adds the key as the most recent one. */
function keep(known: Set<string>, key: string): void {
  known.delete(key);
  known.add(key);
  if (known.size <= mostAbsent) return;
  const [oldest = ''] = known;
  known.delete(oldest);
}
