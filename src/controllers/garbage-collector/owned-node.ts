import type { ObjectReference } from '../../api/client/client.ts';
import type { ObjectMeta, OwnerReference } from '../../api/meta/object.ts';
import type { ResourceKey } from './resource-key.ts';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

export interface NodeState {
  readonly owners: readonly OwnerReference[];
  readonly resourceVersion: string;
  readonly isDeleting: boolean;
  /** What its finalizers request for its dependents. */
  readonly policy: 'Orphan' | 'Foreground' | undefined;
}

/** An object that has owners, or a finalizer that concerns its dependents. Nothing is kept of all others. */
export interface OwnedNode extends NodeState {
  readonly uid: string;
  readonly resource: ResourceKey;
  readonly namespace: string;
  readonly name: string;
}

/** Being deleted in the foreground. */
export function waitsForDependents({ isDeleting, policy }: NodeState): boolean {
  return isDeleting && policy === 'Foreground';
}

/** It goes when its dependents no longer reference it. */
export function orphansDependents({ isDeleting, policy }: NodeState): boolean {
  return isDeleting && policy === 'Orphan';
}

/** With both finalizers, which a deletion never leaves, orphaning takes precedence. */
export function policyOf({ finalizers = [] }: ObjectMeta): NodeState['policy'] {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : undefined;
}

/** References to a deleted owner among those to a living one. */
export function blocks(node: NodeState, ownerUid: string): boolean {
  return node.owners.some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true);
}

export function placeOf({ namespace, name }: OwnedNode): Pick<ObjectReference, 'namespace' | 'name'> {
  return { namespace, name };
}
