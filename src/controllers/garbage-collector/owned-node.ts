import type { ObjectReference } from '../../api/client.ts';
import type { ObjectMeta, OwnerReference } from '../../api/object.ts';
import type { ResourceKey } from './resource-key.ts';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

export interface NodeState {
  readonly owners: readonly OwnerReference[];
  readonly resourceVersion: string;
  readonly isDeleting: boolean;
  /** What its finalizers say becomes of its dependents. */
  readonly policy: 'Orphan' | 'Foreground' | undefined;
}

/** An object that has owners, or that waits for something to be done with its dependents. Of all others nothing is kept. */
export interface OwnedNode extends NodeState {
  readonly uid: string;
  readonly resource: ResourceKey;
  readonly namespace: string;
  readonly name: string;
}

/** It goes when its dependents have gone. */
export function waitsForDependents({ isDeleting, policy }: NodeState): boolean {
  return isDeleting && policy === 'Foreground';
}

/** It goes when its dependents know it no longer. */
export function orphansDependents({ isDeleting, policy }: NodeState): boolean {
  return isDeleting && policy === 'Orphan';
}

/** Of both finalizers, which a deletion never leaves, orphaning comes first. */
export function policyOf({ finalizers = [] }: ObjectMeta): NodeState['policy'] {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : undefined;
}

/** References to an owner that is gone, among those of one that lives. */
export function blocks(node: NodeState, ownerUid: string): boolean {
  return node.owners.some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true);
}

export function placeOf({ namespace, name }: OwnedNode): Pick<ObjectReference, 'namespace' | 'name'> {
  return { namespace, name };
}
