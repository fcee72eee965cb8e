import { isDeepStrictEqual } from 'node:util';
import type { ClientDeleteOptions, ClientResource, ObjectReference } from '../../api/client.ts';
import type { ObjectMeta, OwnerReference } from '../../api/object.ts';
import { isReason } from '../../api/status.ts';
import type { ControllerContext } from '../controller-context.ts';
import { AbsentOwners } from './owner-identity.ts';
import {
  blocks,
  foregroundFinalizer,
  orphanFinalizer,
  orphansDependents,
  type OwnedNode,
  placeOf,
  waitsForDependents,
} from './owned-node.ts';
import type { OwnershipGraph } from './ownership-graph.ts';
import type { ResourceKey } from './resource-key.ts';
import { StrangeOwners } from './strange-owners.ts';

export interface CollectionOptions {
  /** Somebody else has something to do. */
  readonly again: (uid: string) => void;
  /** A node is as its object says. */
  readonly relearn: (node: OwnedNode, now: ObjectMeta) => void;
  readonly isServed: (key: ResourceKey) => ClientResource | undefined;
}

/** What has become of the owners of an object. */
interface Owners {
  /** There, and to stay. */
  readonly solid: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
  /** Going, when their dependents have gone. */
  readonly waiting: readonly OwnerReference[];
}

/** `unserved`: an owner is of a kind that is not served, so nobody can tell. */
export type Taken = 'done' | 'unserved';

const attempts = 5;

/**
 * What is done about one object:
 *
 * | the object                                      | is                                                     |
 * |-------------------------------------------------|--------------------------------------------------------|
 * | is to leave its dependents                      | taken out of their owners, then let go                 |
 * | waits, and a dependent blocks it                | left, and its dependents are worked on                 |
 * | waits for nobody                                | let go                                                 |
 * | has an owner who stays                          | parted from those that are gone or wait                |
 * | has owners who wait for it, and has dependents  | deleted in the foreground, so that it waits as well    |
 * | has nobody                                      | deleted                                                |
 */
export class Collection implements AsyncDisposable {
  readonly absent = new AbsentOwners();
  readonly #context: ControllerContext;
  readonly #graph: OwnershipGraph;
  readonly #options: CollectionOptions;
  readonly #strangers: StrangeOwners;

  constructor(context: ControllerContext, graph: OwnershipGraph, options: CollectionOptions) {
    this.#context = context;
    this.#graph = graph;
    this.#options = options;
    this.#strangers = new StrangeOwners(context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#strangers[Symbol.asyncDispose]();
  }

  async take(node: OwnedNode): Promise<Taken> {
    const resource = this.#options.isServed(node.resource);
    if (resource === undefined) return 'unserved';
    const object = { ...resource, ...placeOf(node) };
    if (orphansDependents(node)) await this.#leave(node, object);
    else if (waitsForDependents(node)) await this.#finish(node, object);
    else if (!node.isDeleting && node.owners.length > 0) return this.#judge(node, object, resource);
    return 'done';
  }

  async #judge(node: OwnedNode, object: ObjectReference, resource: ClientResource): Promise<Taken> {
    const owners = await this.#ownersOf(node, resource);
    if (owners === 'unserved') return owners;
    if (typeof owners === 'string') return 'done';
    const { solid, dangling, waiting } = owners;
    if (solid.length > 0) await this.#part(node, object, new Set([...dangling, ...waiting].map(({ uid }) => uid)));
    else if (waiting.length > 0 && this.#graph.dependentsOf(node.uid).size > 0) {
      await this.#breakCircle(node, object);
      await this.#delete(node, object, 'Foreground');
    } else await this.#delete(node, object, node.policy ?? 'Background');
    return 'done';
  }

  /**
   * `unreachable`: an object in no namespace names an owner in one, which nothing will ever change. `left`: an owner is about to take itself out of the
   * owners; then there is another look.
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
        this.#strangers.note({ node, resource, reference, kind });
        return 'unreachable';
      }
      const owner = await this.#context.metadata.get({ ...kind, namespace, name: reference.name });
      if (owner === undefined || owner.uid !== reference.uid || this.absent.isLost(reference.uid)) {
        if (kind.namespaced && !this.absent.isLost(reference.uid)) {
          this.#strangers.note({ node, resource, reference, kind });
        }
        this.absent.add(reference, namespace);
        owners.dangling.push(reference);
        continue;
      }
      const { deletionTimestamp, finalizers = [] } = owner;
      if (deletionTimestamp !== undefined && finalizers.includes(orphanFinalizer)) return 'left';
      const waits = deletionTimestamp !== undefined && finalizers.includes(foregroundFinalizer);
      // All who depend on one who waits have to be judged.
      if (!waits) this.#graph.confirm(reference, namespace);
      owners[waits ? 'waiting' : 'solid'].push(reference);
    }
    return owners;
  }

  async #finish(node: OwnedNode, object: ObjectReference): Promise<void> {
    const blocking = [...this.#graph.dependentsOf(node.uid)].filter((dependent) => blocks(dependent, node.uid));
    if (blocking.length === 0) await this.#letGo(node, object, foregroundFinalizer);
    for (const dependent of blocking) if (!waitsForDependents(dependent)) this.#options.again(dependent.uid);
  }

  async #leave(node: OwnedNode, object: ObjectReference): Promise<void> {
    const leaving = new Set([node.uid]);
    await Promise.all(
      [...this.#graph.dependentsOf(node.uid)].map(async (dependent) => {
        const resource = this.#options.isServed(dependent.resource);
        if (resource !== undefined) await this.#part(dependent, { ...resource, ...placeOf(dependent) }, leaving);
      }),
    );
    await this.#letGo(node, object, orphanFinalizer);
  }

  async #letGo(node: OwnedNode, object: ObjectReference, finalizer: string): Promise<void> {
    await this.#change(node, object, (metadata) => {
      const { finalizers = [] } = metadata;
      metadata.finalizers = finalizers.filter((other) => other !== finalizer);
      return metadata.finalizers.length < finalizers.length;
    });
  }

  /** Takes references to owners out of an object. */
  async #part(node: OwnedNode, object: ObjectReference, owners: ReadonlySet<string>): Promise<void> {
    if (owners.size === 0) return;
    await this.#change(node, object, (metadata) => {
      const { ownerReferences = [] } = metadata;
      const left = ownerReferences.filter(({ uid }) => !owners.has(uid));
      if (left.length === 0) delete metadata.ownerReferences;
      else metadata.ownerReferences = left;
      return left.length < ownerReferences.length;
    });
  }

  /** A dependent that waits may wait for this very object, which then must not block it. */
  async #breakCircle(node: OwnedNode, object: ObjectReference): Promise<void> {
    const dependents = [...this.#graph.dependentsOf(node.uid)];
    if (!dependents.some(waitsForDependents)) return;
    await this.#change(node, object, ({ ownerReferences = [] }) => {
      const blocking = ownerReferences.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
      for (const reference of blocking) reference.blockOwnerDeletion = false;
      return blocking.length > 0;
    });
  }

  /** Writes what `change` makes of the metadata, unless it answers that nothing has changed. */
  async #change(node: OwnedNode, object: ObjectReference, change: (metadata: ObjectMeta) => boolean): Promise<void> {
    const { client } = this.#context;
    for (let left = attempts; ; left--) {
      try {
        const latest = await client.get(object);
        if (latest.metadata.uid === node.uid && change(latest.metadata)) await client.update(object, latest);
        return;
      } catch (error) {
        if (isReason(error, 'NotFound')) return;
        if (left === 1 || !isReason(error, 'Conflict')) throw error;
      }
    }
  }

  /** Only as it was judged: with other owners it may have to stay. */
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
      if (!isDeepStrictEqual(now.ownerReferences ?? [], node.owners)) {
        this.#options.relearn(node, now);
        this.#options.again(uid);
        return;
      }
      // Something else of it has changed, which others may do all the time.
      await client.delete(object, { propagationPolicy, preconditions: { uid } }).catch(unlessGone);
    }
  }
}

function unlessGone(error: unknown): void {
  if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
}
