import { LruMap } from '../../api/collections/lru-map.ts';
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
  readonly #known = new LruMap<string, true>(mostAbsent);
  readonly #lost = new LruMap<string, true>(mostAbsent);

  /** It was not found. */
  add(reference: OwnerReference, namespace: string): void {
    this.#known.set(identity(reference, namespace), true);
  }

  /** It existed and has been deleted. */
  lost(reference: OwnerReference, namespace: string): void {
    this.add(reference, namespace);
    this.#lost.set(reference.uid, true);
  }

  isLost(uid: string): boolean {
    return this.#lost.has(uid);
  }

  /** Looked up by an object in a namespace; cluster-scoped owners may be named from all. */
  has(reference: OwnerReference, namespace: string): boolean {
    return this.#known.has(identity(reference, '')) || this.#known.has(identity(reference, namespace));
  }
}
