import type { OwnerReference } from '../../api/meta/object.ts';

/** Whether both mean the same object, as far as can be seen. */
export function sameReference(a: OwnerReference, b: OwnerReference): boolean {
  return a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;
}

/** An owner in a namespace, as a string. */
function identity({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): string {
  return [apiVersion, kind, namespace, name, uid].join('/');
}

const mostAbsent = 500;

/** Owners known to be gone, to avoid repeated lookups: uids are never reused. Limited to the most recent ones. */
export class AbsentOwners {
  readonly #known = new Set<string>();
  readonly #lost = new Set<string>();

  /** It was not found. */
  add(reference: OwnerReference, namespace: string): void {
    keep(this.#known, identity(reference, namespace));
  }

  /** It existed and has been deleted. */
  lost(reference: OwnerReference, namespace: string): void {
    this.add(reference, namespace);
    keep(this.#lost, reference.uid);
  }

  isLost(uid: string): boolean {
    return this.#lost.has(uid);
  }

  /** Looked up by an object in a namespace; cluster-scoped owners may be named from all. */
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
