import type { Admission } from '../api/contracts/admission.ts';
import type { Authorizer } from '../api/contracts/authorization.ts';
import type {
  Client,
  ClientApplyOptions,
  ClientDeleteOptions,
  ClientPatchOptions,
  ClientResource,
  ClientWatchEvent,
  ClientWatchOptions,
  Collection,
  ObjectList,
  ObjectReference,
  RemoteResources,
} from '../api/client/client.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../api/time/clock.ts';
import type { GroupVersionResource } from '../api/meta/group-version.ts';
import { keptBy } from '../api/collections/kept-by.ts';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { methodNotSupported, notFound, pathNotFound } from '../api/errors/status-errors.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import type { UserInfo } from '../api/contracts/user.ts';
import type { JsonObject } from '../api/json/json.ts';
import { apply } from '../operations/apply.ts';
import { create } from '../operations/create.ts';
import { deleteListed } from '../operations/delete-collection.ts';
import { deleteNamed } from '../operations/delete.ts';
import type { Operation } from '../operations/operation.ts';
import { decodeServed, type ResourceScope } from '../operations/resource-scope.ts';
import { patch as patchObject } from '../operations/patch.ts';
import { update } from '../operations/update.ts';
import { readPatch } from '../patch/apply-patch.ts';
import { type DeleteOptions, noOptions } from '../registry/kinds/delete-options.ts';
import { objectKey, type StoreKind, keyPrefixOf } from '../registry/stored/store-kind.ts';
import { decodeAll, type StoredObject } from '../registry/stored/stored-object.ts';
import { allReadable, readable } from '../registry/stored/unreadable.ts';
import type { Resource } from '../schema/resource.ts';
import { isUnstructuredKind } from '../schema/unstructured.ts';
import type { WatchEvent } from '../watchcache/cache-event.ts';
import type { WatchScope } from '../watchcache/watcher-index.ts';
import { pause } from '../api/scheduling/pause.ts';
import { RemoteObjects } from './remote-objects.ts';
import { remoteResources } from './remote-resources.ts';
import { watchEntries } from './watch-entries.ts';
import type { ResourceScopes } from '../scopes/resource-scopes.ts';
import { storagePages } from '../storage/pages.ts';

export interface InProcessClientOptions {
  readonly scopes: ResourceScopes;
  readonly admission: Admission;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  /** The user for admission and audit. */
  readonly user: UserInfo;
  /** The field manager; absent: the controllers' manager. */
  readonly manager?: string;
}

interface ScopedStore {
  readonly scope: ResourceScope;
  readonly store: StoreKind;
}

/** Callers look again so long after a watch of another server has failed. */
const remoteWatchMs = 2_000;

/** The field manager of controllers: the process in which the reference runs them. */
const controllerManager = 'kube-controller-manager';

/** An API client within the process: goes through admission to the registry, without HTTP. */
export class InProcessClient implements Client {
  readonly #options: InProcessClientOptions;

  constructor(options: InProcessClientOptions) {
    this.#options = options;
  }

  resources(): readonly ClientResource[] {
    return clientResources(this.#options.scopes.now.catalogue);
  }

  remoteResources(): RemoteResources {
    return remoteResources(this.#options.scopes.now.catalogue);
  }

  async get(reference: ObjectReference): Promise<KubernetesObject> {
    const place = this.#place(reference, 'get');
    const { kv } = await place.store.storage.get(objectKey(place.store, reference.namespace, reference.name));
    if (kv === undefined) throw notFound(place.scope.groupResource, reference.name);
    return decode(place, readable(place.store, kv));
  }

  /** Reads the store directly, so that no watch cache is filled for resources nobody else reads. */
  async list(collection: Collection): Promise<ObjectList> {
    const remote = this.#remote(collection);
    if (remote !== undefined) return remote.list(collection);
    const place = this.#place(collection, 'list');
    const prefix = keyPrefixOf(place.store, collection.namespace);
    const items: KubernetesObject[] = [];
    let resourceVersion = '';
    for await (const { kvs, revision } of storagePages(place.store.storage, prefix)) {
      const stored = await decodeAll(place.store.codec, allReadable(place.store, place.scope.groupResource, kvs));
      items.push(...(await place.scope.conversion.allFromStored(stored)));
      resourceVersion = String(revision);
    }
    return { items, resourceVersion };
  }

  async *watch(collection: Collection, options: ClientWatchOptions): AsyncIterable<ClientWatchEvent> {
    const remote = this.#remote(collection);
    if (remote !== undefined) return yield* watchRemote(remote, collection, options);
    const place = this.#place(collection, 'watch');
    const { namespace } = collection;
    const scope: WatchScope =
      namespace === '' ? { kind: 'all' } : { kind: 'prefix', prefix: keyPrefixOf(place.store, namespace) };
    const watch = { ...options, scope, item: (event: WatchEvent) => event };
    for await (const { type, entry } of watchEntries(place.store.cache(), watch)) {
      const name = entry.key.slice(entry.key.lastIndexOf('/') + 1);
      if (type !== 'DELETED') {
        const wanted = options.wants?.(name, String(entry.modRevision));
        if ((await wanted) === false) continue;
      }
      yield { type, object: await decode(place, entry) };
    }
  }

  async create(resource: GroupVersionResource, object: KubernetesObject): Promise<KubernetesObject> {
    const place = this.#place(resource, 'create');
    const operation = this.#operation(place, object.metadata.namespace ?? '');
    const { manager = controllerManager } = this.#options;
    return decode(place, await create(operation, cloneObject(object), { dryRun: false, manager }));
  }

  async update(resource: GroupVersionResource, object: KubernetesObject, subresource = ''): Promise<KubernetesObject> {
    const place = this.#place(resource, 'update');
    return decode(place, await this.#update(place, object, subresource));
  }

  async write(resource: GroupVersionResource, object: KubernetesObject, subresource = ''): Promise<string> {
    const stored = await this.#update(this.#place(resource, 'update'), object, subresource);
    return String(stored.modRevision);
  }

  async apply(
    reference: ObjectReference,
    configuration: JsonObject,
    { manager, subresource }: ClientApplyOptions,
  ): Promise<KubernetesObject> {
    const place = this.#place(reference, 'patch');
    const operation = this.#operation(place, reference.namespace, subresource);
    const options = { dryRun: false, manager, force: true, fieldValidation: 'Ignore' } as const;
    const { stored } = await apply(operation, reference.name, { patch: configuration, strictErrors: [] }, options);
    return decode(place, stored);
  }

  async patch(
    reference: ObjectReference,
    patch: JsonObject,
    { manager }: ClientPatchOptions,
  ): Promise<KubernetesObject> {
    const remote = this.#remote(reference);
    if (remote !== undefined) return remote.patch(reference, patch, { manager });
    const place = this.#place(reference, 'patch');
    const source = readPatch(Buffer.from(JSON.stringify(patch)));
    const options = { format: 'merge', source, fieldValidation: 'Ignore' } as const;
    const operation = this.#operation(place, reference.namespace);
    const { stored } = await patchObject(operation, reference.name, options, { dryRun: false, manager });
    return decode(place, stored);
  }

  async delete(reference: ObjectReference, options: ClientDeleteOptions = {}): Promise<void> {
    const remote = this.#remote(reference);
    if (remote !== undefined) return remote.delete(reference, options);
    const place = this.#place(reference, 'delete');
    const { namespace, name } = reference;
    await deleteNamed(this.#operation(place, namespace), name, deleteOptions(options));
  }

  async deleteCollection(collection: Collection, options: ClientDeleteOptions = {}): Promise<number> {
    const remote = this.#remote(collection);
    if (remote !== undefined) return remote.deleteCollection(collection, options);
    const place = this.#place(collection, 'deletecollection');
    const keys: string[] = [];
    for await (const { kvs } of storagePages(place.store.storage, keyPrefixOf(place.store, collection.namespace)))
      keys.push(...kvs.map(({ key }) => key));
    await deleteListed(this.#operation(place, collection.namespace), keys, deleteOptions(options));
    return keys.length;
  }

  async #update(place: ScopedStore, object: KubernetesObject, subresource: string): Promise<StoredObject> {
    const { name = '', namespace = '' } = object.metadata;
    const operation = this.#operation(place, namespace, subresource);
    const { manager = controllerManager } = this.#options;
    const { stored } = await update(operation, name, cloneObject(object), { dryRun: false, manager });
    return stored;
  }

  /** Undefined for versions of this server. It reads the core group itself, which tells where others are. */
  #remote({ group, version }: GroupVersionResource): RemoteObjects | undefined {
    if (group === '') return undefined;
    const remote = this.#options.scopes.now.catalogue.remote(group, version);
    return remote === undefined ? undefined : new RemoteObjects(remote, this.#options.user);
  }

  #place({ group, version, resource }: GroupVersionResource, verb: string): ScopedStore {
    const scope = this.#options.scopes.now.knownScopeOf(group, version, resource);
    if (scope === undefined) throw pathNotFound();
    if (scope.store === undefined) throw methodNotSupported(scope.groupResource, verb);
    return { scope, store: scope.store };
  }

  #operation({ scope }: ScopedStore, namespace: string, subresource = ''): Operation {
    const { clock, user, admission, authorizer, scopes } = this.#options;
    const part = scope.resource.subresources.find(({ name }) => name === subresource);
    if (part === undefined && subresource !== '') throw pathNotFound();
    return {
      scope,
      subresource: part,
      namespace,
      user,
      receivedMs: clock.now(),
      deadlineMs: Number.POSITIVE_INFINITY,
      admission,
      authorizer,
      kinds: scopes.now,
      warn: ignore,
      annotate: ignore,
    };
  }
}

/** Some servers cannot watch. */
async function* watchRemote(
  remote: RemoteObjects,
  collection: Collection,
  options: ClientWatchOptions,
): AsyncGenerator<ClientWatchEvent> {
  try {
    yield* remote.watch(collection, options);
  } catch {
    await pause(remoteWatchMs, options.signal);
  }
}

/** Warnings are meant for people, and audit events are about requests. */
function ignore(): void {}

/** A resource as clients see it: the same object each time, by which they may keep what they derive from it. */
export const clientResource = keptBy((resource: Resource): ClientResource => {
  const { group, version, plural, kind, namespaced, verbs } = resource;
  return { group, version, resource: plural, kind, namespaced, verbs, isUnstructured: isUnstructuredKind(resource) };
});

/** All versions of a kind share its store: the first one represents it. */
export const clientResources = keptBy((catalogue: Catalogue): readonly ClientResource[] =>
  catalogue.storedResources().map(({ resource }) => clientResource(resource)),
);

function deleteOptions({ propagationPolicy, preconditions = {} }: ClientDeleteOptions): DeleteOptions {
  return { ...noOptions, propagationPolicy, preconditions };
}

function decode({ scope, store }: ScopedStore, stored: StoredObject): Soon<KubernetesObject> {
  return decodeServed(scope, store, stored);
}
