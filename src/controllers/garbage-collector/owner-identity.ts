import type { OwnerReference } from '../../api/object.ts';

/** The same object is meant, as far as that can be seen. */
export function sameReference(a: OwnerReference, b: OwnerReference): boolean {
  return a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;
}

/** An owner in a namespace, as one text. */
function identity({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): string {
  return [apiVersion, kind, namespace, name, uid].join('/');
}

const mostAbsent = 500;

/** Owners that are known to be gone, so that nobody looks for them again: uids never come back. The last so many. */
export class AbsentOwners {
  readonly #known = new Set<string>();
  readonly #lost = new Set<string>();

  /** There is none where it was looked for. */
  add(reference: OwnerReference, namespace: string): void {
    keep(this.#known, identity(reference, namespace));
  }

  /** It was there, and has been deleted. */
  lost(reference: OwnerReference, namespace: string): void {
    this.add(reference, namespace);
    keep(this.#lost, reference.uid);
  }

  isLost(uid: string): boolean {
    return this.#lost.has(uid);
  }

  /** Looked for by an object in a namespace; owners in no namespace may be named from all. */
  has(reference: OwnerReference, namespace: string): boolean {
    return this.#known.has(identity(reference, '')) || this.#known.has(identity(reference, namespace));
  }
}

/** As the latest of so many. */
function keep(known: Set<string>, key: string): void {
  known.delete(key);
  known.add(key);
  if (known.size <= mostAbsent) return;
  const [oldest = ''] = known;
  known.delete(oldest);
}
