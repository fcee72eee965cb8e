import { isDeepStrictEqual } from 'node:util';
import type { ClientDeleteOptions, ClientResource, ObjectReference } from '../../api/client/client.ts';
import type { ObjectMeta, OwnerReference } from '../../api/meta/object.ts';
import { isReason } from '../../api/errors/status.ts';
import type { ControllerContext } from '../controller-context.ts';
import { AbsentOwners } from './owner-identity.ts';
import {
  blocks,
  foregroundFinalizer,
  orphanFinalizer,
  orphansDependents,
  type OwnedNode,
  placeOf,
  policyOf,
  waitsForDependents,
} from './owned-node.ts';
import type { OwnershipGraph } from './ownership-graph.ts';
import type { ResourceKey } from './resource-key.ts';
import { CrossNamespaceOwners } from './cross-namespace-owners.ts';

export interface CollectionOptions {
  /** Queues another node. */
  readonly again: (uid: string) => void;
  /** Updates a node from the live object. */
  readonly relearn: (node: OwnedNode, now: ObjectMeta) => void;
  readonly isServed: (key: ResourceKey) => ClientResource | undefined;
}

/** Owner references of an object by the state of the owner. */
interface Owners {
  /** Exists and is not waiting. */
  readonly solid: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
  /** Being deleted in the foreground. */
  readonly waiting: readonly OwnerReference[];
}

/** `unserved`: the kind of an owner is not served, so its existence cannot be decided. */
export type Taken = 'done' | 'unserved';

const attempts = 5;
/** The field manager: the process in which the reference collects. */
const manager = 'kube-controller-manager';

/**
 * Processes one object:
 *
 * | object                                            | action                                             |
 * |---------------------------------------------------|----------------------------------------------------|
 * | deleted with `orphan`                             | remove it from its dependents, then the finalizer  |
 * | deleted in the foreground, blocked by dependents  | queue the dependents                               |
 * | deleted in the foreground, not blocked            | remove the finalizer                               |
 * | has a solid owner                                 | remove references to absent and waiting owners     |
 * | all owners absent or waiting, has dependents      | delete in the foreground if an owner waits         |
 * | all owners absent or waiting, otherwise           | delete                                             |
 */
export class Collection implements AsyncDisposable {
  readonly absent = new AbsentOwners();
  readonly #context: ControllerContext;
  readonly #graph: OwnershipGraph;
  readonly #options: CollectionOptions;
  readonly #crossNamespace: CrossNamespaceOwners;

  constructor(context: ControllerContext, graph: OwnershipGraph, options: CollectionOptions) {
    this.#context = context;
    this.#graph = graph;
    this.#options = options;
    this.#crossNamespace = new CrossNamespaceOwners(context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#crossNamespace[Symbol.asyncDispose]();
  }

  async take(node: OwnedNode): Promise<Taken> {
    const resource = this.#options.isServed(node.resource);
    if (resource === undefined) return 'unserved';
    const object = { ...resource, ...placeOf(node) };
    if (orphansDependents(node)) await this.#orphan(node, object);
    else if (waitsForDependents(node)) await this.#finalize(node, object);
    else if (!node.isDeleting && node.owners.length > 0) return this.#decide(node, object, resource);
    return 'done';
  }

  async #decide(node: OwnedNode, object: ObjectReference, resource: ClientResource): Promise<Taken> {
    const owners = await this.#ownersOf(node, resource);
    if (owners === 'unserved') return owners;
    if (typeof owners === 'string') return 'done';
    const { solid, dangling, waiting } = owners;
    if (solid.length > 0)
      await this.#removeOwners(node, object, new Set([...dangling, ...waiting].map(({ uid }) => uid)));
    else if (waiting.length > 0 && this.#graph.dependentsOf(node.uid).size > 0) {
      await this.#unblockCycle(node, object, resource);
      await this.#delete(node, object, 'Foreground');
    } else await this.#delete(node, object, node.policy ?? 'Background');
    return 'done';
  }

  /**
   * `unreachable`: a cluster-scoped object refers to a namespaced owner, which no retry resolves. `left`: an owner is
   * orphaning its dependents; the removal of the reference queues the node again.
   */
  async #ownersOf(node: OwnedNode, resource: ClientResource): Promise<Owners | 'unserved' | 'unreachable' | 'left'> {
    const owners: Record<keyof Owners, OwnerReference[]> = { solid: [], dangling: [], waiting: [] };
    for (const reference of node.owners) {
      if (this.absent.has(reference, node.namespace)) {
        owners.dangling.push(reference);
        continue;
      }
      const kind = this.#context.metadata.resourceOf(reference.apiVersion, reference.kind);
      if (kind === undefined) return 'unserved';
      const namespace = kind.namespaced ? node.namespace : '';
      if (kind.namespaced && namespace === '') {
        this.#crossNamespace.note({ node, resource, reference, kind });
        return 'unreachable';
      }
      const owner = await this.#context.metadata.get({ ...kind, namespace, name: reference.name });
      if (owner === undefined || owner.uid !== reference.uid || this.absent.isLost(reference.uid)) {
        if (kind.namespaced && !this.absent.isLost(reference.uid)) {
          this.#crossNamespace.note({ node, resource, reference, kind });
        }
        this.absent.add(reference, namespace);
        owners.dangling.push(reference);
        continue;
      }
      const { deletionTimestamp, finalizers = [] } = owner;
      if (deletionTimestamp !== undefined && finalizers.includes(orphanFinalizer)) return 'left';
      const waits = deletionTimestamp !== undefined && finalizers.includes(foregroundFinalizer);
      // Every dependent of a waiting owner has to be processed.
      if (!waits) this.#graph.confirm(reference, namespace);
      owners[waits ? 'waiting' : 'solid'].push(reference);
    }
    return owners;
  }

  async #finalize(node: OwnedNode, object: ObjectReference): Promise<void> {
    const blocking = [...this.#graph.dependentsOf(node.uid)].filter((dependent) => blocks(dependent, node.uid));
    if (blocking.length === 0) await this.#removeFinalizer(node, object, foregroundFinalizer);
    for (const dependent of blocking) if (!waitsForDependents(dependent)) this.#options.again(dependent.uid);
  }

  async #orphan(node: OwnedNode, object: ObjectReference): Promise<void> {
    const orphaned = new Set([node.uid]);
    await Promise.all(
      [...this.#graph.dependentsOf(node.uid)].map(async (dependent) => {
        const resource = this.#options.isServed(dependent.resource);
        if (resource !== undefined)
          await this.#removeOwners(dependent, { ...resource, ...placeOf(dependent) }, orphaned);
      }),
    );
    await this.#removeFinalizer(node, object, orphanFinalizer);
  }

  async #removeFinalizer(node: OwnedNode, object: ObjectReference, finalizer: string): Promise<void> {
    await this.#change(node, object, ({ finalizers = [] }) => {
      const left = finalizers.filter((other) => other !== finalizer);
      return left.length < finalizers.length && { finalizers: left };
    });
  }

  /** Removes references to owners from an object. */
  async #removeOwners(node: OwnedNode, object: ObjectReference, owners: ReadonlySet<string>): Promise<void> {
    if (owners.size === 0) return;
    await this.#change(node, object, ({ ownerReferences = [] }) => {
      const left = ownerReferences.filter(({ uid }) => !owners.has(uid));
      return left.length < ownerReferences.length && { ownerReferences: left };
    });
  }

  /** A waiting dependent may also own this object: a cycle of foreground deletions, which must not block. */
  async #unblockCycle(node: OwnedNode, object: ObjectReference, { isUnstructured }: ClientResource): Promise<void> {
    const dependents = [...this.#graph.dependentsOf(node.uid)];
    if (!dependents.some(waitsForDependents)) return;
    await this.#change(node, object, ({ ownerReferences = [] }) => {
      if (!ownerReferences.some(({ blockOwnerDeletion }) => blockOwnerDeletion === true)) return false;
      // As the reference does it, by a strategic merge patch of the blocking ones, or else by a merge patch of all.
      return {
        ownerReferences: ownerReferences.map((reference) =>
          isUnstructured === true || reference.blockOwnerDeletion === true
            ? { ...reference, blockOwnerDeletion: false }
            : reference,
        ),
      };
    });
  }

  /** Changes fields of the metadata unless `change` returns false. */
  async #change(
    node: OwnedNode,
    object: ObjectReference,
    change: (metadata: ObjectMeta) => Pick<ObjectMeta, 'finalizers' | 'ownerReferences'> | false,
  ): Promise<void> {
    const { client, metadata } = this.#context;
    for (let left = attempts; ; left--) {
      try {
        const latest = await metadata.get(object);
        const changed = latest?.uid === node.uid && change(latest);
        if (changed === false) return;
        const { resourceVersion = '' } = latest;
        await client.patch(object, { metadata: { uid: node.uid, resourceVersion, ...changed } }, { manager });
        return;
      } catch (error) {
        if (isReason(error, 'NotFound')) return;
        if (left === 1 || !isReason(error, 'Conflict')) throw error;
      }
    }
  }

  /** Guarded by uid and resource version: a concurrent change of owners invalidates the decision. */
  async #delete(
    node: OwnedNode,
    object: ObjectReference,
    propagationPolicy: NonNullable<ClientDeleteOptions['propagationPolicy']>,
  ): Promise<void> {
    const { client, metadata } = this.#context;
    const { uid, resourceVersion } = this.#graph.node(node.uid) ?? node;
    try {
      await client.delete(object, { propagationPolicy, preconditions: { uid, resourceVersion } });
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict')) throw error;
      const now = await metadata.get(object);
      if (now === undefined || now.uid !== uid) return;
      if (!isDeepStrictEqual(now.ownerReferences ?? [], node.owners) || policyOf(now) !== node.policy) {
        this.#options.relearn(node, now);
        this.#options.again(uid);
        return;
      }
      // Unrelated changes must not starve collection.
      await client.delete(object, { propagationPolicy, preconditions: { uid } }).catch(unlessGone);
    }
  }
}

function unlessGone(error: unknown): void {
  if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
}
