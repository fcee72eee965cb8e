import type { ClientResource } from '../../api/client/client.ts';
import type { MetadataChange, StoredMetadata } from '../../api/client/metadata-client.ts';
import type { ObjectMeta, OwnerReference } from '../../api/meta/object.ts';
import type { ControllerContext } from '../controller-context.ts';
import { WorkQueue } from '../work-queue.ts';
import { Collection } from './collection.ts';
import { FollowedResources } from './followed-resources.ts';
import { sameReference } from './owner-identity.ts';
import { type OwnedNode, policyOf, waitsForDependents } from './owned-node.ts';
import { OwnershipGraph } from './ownership-graph.ts';
import { type ResourceKey, resourceKey } from './resource-key.ts';

/** Number of objects worked on concurrently; the store groups their writes. */
const workers = 32;

/**
 * Deletes objects whose owners are all gone, and finalizes owners that orphan their dependents or are deleted in the
 * foreground.
 *
 * It hears of every change in the store and keeps what is of interest of those few objects that have owners: an object
 * that neither has owners nor waits costs a search in its text. What is to be done about an object is found out when it
 * is worked on.
 */
export class GarbageCollector implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #graph = new OwnershipGraph();
  readonly #queue: WorkQueue;
  readonly #collection: Collection;
  readonly #resources: FollowedResources;
  /** Nodes whose owners must be looked up; the others have something to do. */
  readonly #unsure = new Set<string>();
  /** Nodes whose owners' kinds are not served. */
  readonly #parked = new Set<string>();
  /** The work in progress. */
  readonly #working = new Map<string, Promise<void>>();
  readonly #started: Promise<void>;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { onError, metadata, queues } = context;
    const metric = queues.of('garbage_collector_attempt_to_delete');
    const work = (uid: string): Promise<void> => this.#work(uid);
    this.#queue = new WorkQueue({ work, workers, withoutPauses: true, metric, onError });
    this.#collection = new Collection(context, this.#graph, {
      again: (uid) => this.#queue.add(uid),
      relearn: (node, now) => this.#set({ ...node, ...stateOf(now) }),
      isServed: (key) => this.#resources.served(key),
    });
    this.#resources = new FollowedResources({
      metadata,
      onError,
      changes: (resource, changes) => this.#learn(resource, changes),
      missing: (resource, exists) => this.#lose(resource, exists),
      served: () => this.#unpark(),
    });
    this.#started = this.#resources.start().then(() => this.#queue.start());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources[Symbol.asyncDispose]();
    await this.#started;
    await this.#queue[Symbol.asyncDispose]();
    await this.#collection[Symbol.asyncDispose]();
  }

  #learn(resource: ClientResource, changes: readonly MetadataChange[]): void {
    for (const change of changes) {
      const { now, before } = change;
      if (now === undefined) this.#lost(resource, change);
      else if (mayMatter(now) || (before !== undefined && mayMatter(before))) {
        const seen = seenIn(now);
        const old = before === undefined ? unseen : seenIn(before);
        if (seen.owners !== undefined && seen.owners === old.owners) this.#learnDeletion(resource, change, now, seen);
        else if (isOfInterest(seen) || isOfInterest(old)) this.#set(nodeOf(resource, change, now.read()));
      }
    }
  }

  /**
   * Status updates of owned objects are frequent. A stale resource version costs a conflict when the object is deleted.
   */
  #learnDeletion(resource: ClientResource, change: MetadataChange, now: StoredMetadata, seen: Seen): void {
    if (!seen.isDeleting) return;
    const known = seen.hasPolicy ? undefined : this.#graph.node(now.uid());
    if (known === undefined) return this.#set(nodeOf(resource, change, now.read()));
    return this.#set({ ...known, resourceVersion: change.resourceVersion, isDeleting: true, policy: undefined });
  }

  #set(node: OwnedNode): void {
    const old = this.#graph.node(node.uid);
    for (const uid of this.#graph.set(node)) this.#queue.add(uid);
    if (node.owners.length === 0 && !(node.isDeleting && node.policy !== undefined)) {
      this.#graph.delete(node.uid);
      return;
    }
    if (old !== undefined && sameOwners(old.owners, node.owners)) return;
    if (node.owners.every((reference) => this.#graph.isConfirmed(reference, node.namespace))) return;
    this.#unsure.add(node.uid);
    this.#queue.add(node.uid);
  }

  #lost(resource: ClientResource, { before, namespace, name }: MetadataChange): void {
    if (this.#graph.isEmpty) return;
    const uid = before?.uid() ?? '';
    if (uid !== '') {
      this.#gone(uid, resource, { namespace, name });
      return;
    }
    const key = resourceKey(resource);
    const isIt = (node: OwnedNode): boolean =>
      node.resource === key && node.name === name && node.namespace === namespace;
    for (const node of [...this.#graph.nodes()].filter(isIt)) this.#gone(node.uid, resource, node);
    this.#lookAgain((owner) => owner.name === name);
  }

  #gone(uid: string, { group, version, kind }: ClientResource, place: { namespace: string; name: string }): void {
    const node = this.#graph.delete(uid);
    this.#unsure.delete(uid);
    this.#parked.delete(uid);
    const dependents = this.#graph.dependentsOf(uid);
    if (dependents.size > 0) {
      const apiVersion = group === '' ? version : `${group}/${version}`;
      this.#collection.absent.lost({ apiVersion, kind, name: place.name, uid }, place.namespace);
      this.#graph.refute(uid);
      for (const dependent of dependents) this.#queue.add(dependent.uid);
    }
    for (const owner of node?.owners ?? []) {
      const waiting = this.#graph.node(owner.uid);
      if (waiting !== undefined && waitsForDependents(waiting)) this.#queue.add(owner.uid);
    }
  }

  /** The store has compacted the missed changes. */
  #lose(resource: ClientResource, exists: (node: OwnedNode) => boolean): void {
    const key = resourceKey(resource);
    for (const node of Array.from(this.#graph.nodes())) {
      if (node.resource === key && !exists(node)) this.#gone(node.uid, resource, node);
    }
    this.#lookAgain(({ apiVersion, kind }) => {
      const named = this.#context.metadata.resourceOf(apiVersion, kind);
      return named !== undefined && resourceKey(named) === key;
    });
  }

  /** Owners that may no longer exist. */
  #lookAgain(concerns: (owner: OwnerReference) => boolean): void {
    for (const node of this.#graph.nodes()) {
      const owners = node.owners.filter(concerns);
      if (owners.length === 0) continue;
      for (const { uid } of owners) this.#graph.refute(uid);
      this.#queue.add(node.uid);
    }
  }

  #unpark(): void {
    for (const uid of this.#parked) this.#queue.add(uid);
    this.#parked.clear();
  }

  async #work(uid: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const owners = (this.#graph.node(uid)?.owners ?? []).flatMap((owner) => this.#working.get(owner.uid) ?? []);
    this.#working.set(uid, promise);
    try {
      // What becomes of an owner decides about its dependents. Nobody waits for those who have begun later, so there
      // are no circles.
      if (owners.length > 0) await Promise.all(owners);
      await this.#take(uid);
    } finally {
      this.#working.delete(uid);
      resolve();
    }
  }

  async #take(uid: string): Promise<void> {
    const node = this.#graph.node(uid);
    const isUnsure = this.#unsure.delete(uid);
    if (node === undefined) return;
    // Resolved by another dependent's lookup of the owner.
    const isSure = node.owners.every((reference) => this.#graph.isConfirmed(reference, node.namespace));
    if (isUnsure && isSure && !node.isDeleting) return;
    if ((await this.#collection.take(node)) === 'unserved') this.#parked.add(uid);
  }
}

/** What the text of an object says about it. */
interface Seen {
  /** As JSON; undefined if it has none. */
  readonly owners: string | undefined;
  readonly isDeleting: boolean;
  /** Whether it has a finalizer that is about its dependents. */
  readonly hasPolicy: boolean;
}

const unseen: Seen = { owners: undefined, isDeleting: false, hasPolicy: false };
const seenFields = ['deletionTimestamp', 'ownerReferences', 'finalizers'];

/** A search is several times faster than reading, and most objects have neither. */
function mayMatter(text: StoredMetadata): boolean {
  return text.mentions('"ownerReferences":[') || text.mentions('"deletionTimestamp":"');
}

function seenIn(text: StoredMetadata): Seen {
  const [deletion, owners, finalizers = ''] = text.fields(seenFields);
  const hasPolicy = finalizers.includes('"foregroundDeletion"') || finalizers.includes('"orphan"');
  return { owners, isDeleting: deletion !== undefined, hasPolicy };
}

function isOfInterest({ owners, isDeleting, hasPolicy }: Seen): boolean {
  return owners !== undefined || (isDeleting && hasPolicy);
}

function nodeOf(resource: ClientResource, change: MetadataChange, metadata: ObjectMeta): OwnedNode {
  const { namespace, name, resourceVersion } = change;
  const place = { resource: resourceKey(resource) as ResourceKey, namespace, name };
  return { uid: metadata.uid ?? '', ...place, ...stateOf({ ...metadata, resourceVersion }) };
}

function stateOf(metadata: ObjectMeta): Pick<OwnedNode, 'owners' | 'resourceVersion' | 'isDeleting' | 'policy'> {
  const { ownerReferences: owners = [], resourceVersion = '', deletionTimestamp } = metadata;
  return { owners, resourceVersion, isDeleting: deletionTimestamp !== undefined, policy: policyOf(metadata) };
}

function sameOwners(a: readonly OwnerReference[], b: readonly OwnerReference[]): boolean {
  return a.length === b.length && a.every((reference, at) => isSameAt(reference, b[at]));
}

function isSameAt(reference: OwnerReference, other: OwnerReference | undefined): boolean {
  return other !== undefined && sameReference(reference, other);
}
