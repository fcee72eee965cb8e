import type { OwnerReference } from '../../api/meta/object.ts';
import { blocks, orphansDependents, type OwnedNode, waitsForDependents } from './owned-node.ts';
import { sameReference } from './owner-identity.ts';

/** What is known about an owner that objects name. */
interface Owner {
  /** Most dependents have the same one, which they share. */
  readonly reference: OwnerReference;
  readonly dependents: Set<OwnedNode>;
  /** The reference by which it was last found; undefined: not looked up yet, or not found. */
  found: FoundOwner | undefined;
}

interface FoundOwner {
  readonly reference: OwnerReference;
  /** Empty if cluster-scoped. */
  readonly namespace: string;
}

const nobody: ReadonlySet<OwnedNode> = new Set();

/**
 * Owners and dependents, by uid.
 *
 *     ReplicaSet, owned by a Deployment   node 3c.., owners [5d..]
 *     Pods, owned by the ReplicaSet       nodes 8a.., 91.., owners [3c..]
 *     Deployment, without owners          no node; owner 5d.. with the dependent 3c..
 */
export class OwnershipGraph {
  readonly #nodes = new Map<string, OwnedNode>();
  readonly #owners = new Map<string, Owner>();

  /** There are no dependents and nothing waits. */
  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  node(uid: string): OwnedNode | undefined {
    return this.#nodes.get(uid);
  }

  nodes(): Iterable<OwnedNode> {
    return this.#nodes.values();
  }

  dependentsOf(uid: string): ReadonlySet<OwnedNode> {
    return this.#owners.get(uid)?.dependents ?? nobody;
  }

  /** Adds or replaces a node. Returns the uids of the nodes to process because of the change. */
  set(given: OwnedNode): readonly string[] {
    const node = { ...given, owners: given.owners.map((reference) => this.#shared(reference)) };
    const old = this.#nodes.get(node.uid);
    if (old !== undefined) this.#unlink(old);
    this.#nodes.set(node.uid, node);
    for (const reference of node.owners) this.#ownerOf(reference).dependents.add(node);
    if (old !== undefined) this.#forgetUnused(old);
    return concerned(old, node, this);
  }

  /** Returns whether it existed. Its dependents are kept until they are gone. */
  delete(uid: string): OwnedNode | undefined {
    const node = this.#nodes.get(uid);
    if (node === undefined) return undefined;
    this.#nodes.delete(uid);
    this.#unlink(node);
    this.#forgetUnused(node);
    return node;
  }

  /** The owner was found by this reference. */
  confirm(reference: OwnerReference, namespace: string): void {
    const owner = this.#owners.get(reference.uid);
    if (owner !== undefined) owner.found = { reference, namespace };
  }

  /** Whether an object in a namespace may name this owner, as far as is known. */
  isConfirmed(reference: OwnerReference, namespace: string): boolean {
    const found = this.#owners.get(reference.uid)?.found;
    if (found === undefined || !sameReference(found.reference, reference)) return false;
    return found.namespace === '' || found.namespace === namespace;
  }

  /** The owner is gone or unverified. */
  refute(uid: string): void {
    const owner = this.#owners.get(uid);
    if (owner !== undefined) owner.found = undefined;
  }

  #ownerOf(reference: OwnerReference): Owner {
    let owner = this.#owners.get(reference.uid);
    if (owner === undefined) {
      owner = { reference, dependents: new Set(), found: undefined };
      this.#owners.set(reference.uid, owner);
    }
    return owner;
  }

  #unlink(node: OwnedNode): void {
    for (const { uid } of node.owners) this.#owners.get(uid)?.dependents.delete(node);
  }

  #forgetUnused(node: OwnedNode): void {
    for (const { uid } of node.owners) if (this.#owners.get(uid)?.dependents.size === 0) this.#owners.delete(uid);
  }

  #shared(reference: OwnerReference): OwnerReference {
    const known = this.#owners.get(reference.uid)?.reference;
    return known !== undefined && isSame(known, reference) ? known : reference;
  }
}

function isSame(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.uid === b.uid &&
    sameReference(a, b) &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}

/** Owners that are no longer blocked, and the node with its dependents when it starts to wait or orphan. */
function concerned(old: OwnedNode | undefined, node: OwnedNode, graph: OwnershipGraph): readonly string[] {
  const released = (old?.owners ?? []).filter(({ uid }) => old !== undefined && blocks(old, uid) && !blocks(node, uid));
  const uids = released.map(({ uid }) => uid);
  // Orphaning has finished or was abandoned.
  if (old !== undefined && orphansDependents(old) && !orphansDependents(node)) {
    for (const { uid } of graph.dependentsOf(node.uid)) uids.push(uid);
  }
  if (orphansDependents(node) && (old === undefined || !orphansDependents(old))) uids.push(node.uid);
  if (waitsForDependents(node) && (old === undefined || !waitsForDependents(old))) {
    for (const { uid } of graph.dependentsOf(node.uid)) uids.push(uid);
    uids.push(node.uid);
  }
  return uids;
}
