import type { ObjectReference } from '../../api/client.ts';
import type { ObjectMeta, OwnerReference } from '../../api/object.ts';
import type { ResourceKey } from './resource-key.ts';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

export interface NodeState {
  readonly owners: readonly OwnerReference[];
  readonly resourceVersion: string;
  readonly isDeleting: boolean;
  /** The propagation policy that its finalizers request. */
  readonly policy: 'Orphan' | 'Foreground' | undefined;
}

/** An object with owner references, or one being deleted with a garbage collection finalizer. Others have no node. */
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

/** Being deleted, orphaning its dependents. */
export function orphansDependents({ isDeleting, policy }: NodeState): boolean {
  return isDeleting && policy === 'Orphan';
}

/** `orphan` wins if both finalizers are present. */
export function policyOf({ finalizers = [] }: ObjectMeta): NodeState['policy'] {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : undefined;
}

/** Whether the node blocks the foreground deletion of the owner. */
export function blocks(node: NodeState, ownerUid: string): boolean {
  return node.owners.some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true);
}

export function placeOf({ namespace, name }: OwnedNode): Pick<ObjectReference, 'namespace' | 'name'> {
  return { namespace, name };
}
