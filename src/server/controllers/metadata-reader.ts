import { Attempts } from '../../api/scheduling/attempts.ts';
import type { ClientResource, ObjectReference } from '../../api/client/client.ts';
import type { GroupVersionResource } from '../../api/meta/group-version.ts';
import { parseApiVersion } from '../../api/meta/group-version.ts';
import type {
  MetadataChange,
  MetadataClient,
  MetadataFollower,
  ObjectPlace,
  StoredMetadata,
} from '../../api/client/metadata-client.ts';
import type { ObjectMeta } from '../../api/meta/object.ts';
import { isReason } from '../../api/errors/status.ts';
import { pathNotFound } from '../../api/errors/status-errors.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { RemoteVersion } from '../../catalogue/remote-version.ts';
import { objectKey, type StoreLocation } from '../../registry/stored/store-kind.ts';
import { readable } from '../../registry/stored/unreadable.ts';
import { prefixEnd, type StorageEvent, type StorageWatch } from '../../storage/contract.ts';
import { clientResource, clientResources } from '../../client/in-process-client.ts';
import { RemoteObjects } from '../../client/remote-objects.ts';
import { remoteResourceOf, remoteResources } from '../../client/remote-resources.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { RemoteFollowing } from './remote-following.ts';
import { StoredText } from './stored-text.ts';
import { storagePages } from '../../storage/pages.ts';

export interface MetadataReaderOptions {
  readonly scopes: ResourceScopes;
  readonly catalogue: LiveCatalogue;
  /** The user for other servers. */
  readonly user: UserInfo;
  readonly onError: (error: unknown) => void;
}

const retryFirstMs = 500;
const retryLongestMs = 30_000;
/** Upper bound for delivering pending changes on disposal. */
const lastChangesMs = 2000;

/** Reads directly from the store, bypassing the watch caches, so that nothing nobody else reads is kept in memory. */
export class MetadataReader implements MetadataClient {
  readonly #options: MetadataReaderOptions;

  constructor(options: MetadataReaderOptions) {
    this.#options = options;
  }

  /** The resources; if several servers have one, that of this server counts. */
  resources(): readonly ClientResource[] {
    const { current } = this.#options.catalogue;
    const own = clientResources(current);
    const { resources: remote } = remoteResources(current);
    return remote.length === 0 ? own : [...remote, ...own];
  }

  resourceOf(apiVersion: string, kind: string): ClientResource | undefined {
    const version = parseApiVersion(apiVersion);
    if (version === undefined) return undefined;
    const { current } = this.#options.catalogue;
    if (current.remote(version.group, version.version) !== undefined) {
      return remoteResourceOf(current, { ...version, kind });
    }
    const found = current.resourceOf({ ...version, kind });
    return found?.served === true ? clientResource(found.resource) : undefined;
  }

  onResources(changed: () => void): Disposable {
    return this.#options.catalogue.subscribe(changed);
  }

  async get(reference: ObjectReference): Promise<ObjectMeta | undefined> {
    const remote = this.#remote(reference);
    if (remote !== undefined) return metadataIn(new RemoteObjects(remote, this.#options.user), reference);
    const store = this.#store(reference);
    const { kv } = await store.storage.get(objectKey(store, reference.namespace, reference.name));
    if (kv === undefined) return undefined;
    return { ...new StoredText(readable(store, kv).value).read(), resourceVersion: String(kv.modRevision) };
  }

  async follow(
    resource: GroupVersionResource,
    follower: MetadataFollower,
    signal: AbortSignal,
  ): Promise<AsyncDisposable> {
    if (this.#remote(resource) !== undefined) {
      const remote = new RemoteFollowing(resource, follower, this.#options);
      await remote.start(signal);
      return remote;
    }
    const following = new Following(this.#store(resource), follower, this.#options.onError);
    await following.start();
    return following;
  }

  #remote({ group, version }: GroupVersionResource): RemoteVersion | undefined {
    return this.#options.catalogue.current.remote(group, version);
  }

  #store({ group, version, resource }: GroupVersionResource): StoreLocation {
    const store = this.#options.scopes.now.placeOf(group, version, resource);
    if (store === undefined) throw pathNotFound();
    return store;
  }
}

async function metadataIn(remote: RemoteObjects, reference: ObjectReference): Promise<ObjectMeta | undefined> {
  try {
    return (await remote.get(reference)).metadata;
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/**
 * One resource from the store: all that is there, then what changes, and the same again when the store can no longer
 * tell what has changed.
 */
class Following implements AsyncDisposable {
  readonly #store: StoreLocation;
  readonly #follower: MetadataFollower;
  readonly #attempts: Attempts;
  #watch: StorageWatch | undefined;
  #retry: NodeJS.Timeout | undefined;
  /** While it ends: resolved by the last pending change. */
  #reached: PromiseWithResolvers<void> | undefined;
  #ended = false;

  constructor(store: StoreLocation, follower: MetadataFollower, onError: (error: unknown) => void) {
    this.#store = store;
    this.#follower = follower;
    this.#attempts = new Attempts({ firstMs: retryFirstMs, longestMs: retryLongestMs, onError });
  }

  async start(): Promise<void> {
    const revision = await this.#tellAll();
    this.#attempts.succeeded();
    if (this.#ended) return;
    const { keyPrefix: start, storage } = this.#store;
    this.#watch = storage.watch(
      { start, end: prefixEnd(start), afterRevision: revision },
      {
        events: (events) => this.#tell(events),
        progress: () => this.#reached?.resolve(),
        failed: () => this.#startAgain(),
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const reached = Promise.withResolvers<void>();
    this.#reached = reached;
    const waiting = setTimeout(() => reached.resolve(), lastChangesMs);
    if (this.#watch === undefined) reached.resolve();
    this.#watch?.requestProgress();
    await reached.promise;
    clearTimeout(waiting);
    this.#ended = true;
    clearTimeout(this.#retry);
    this.#watch?.cancel();
  }

  /** What is known of an object that cannot be read any more stays true until it can be read, or is gone. */
  #tell(states: readonly StateOfKey[]): void {
    const readable = states.filter(({ unreadable }) => unreadable === undefined);
    if (readable.length > 0) this.#follower.changes(readable.map((state) => this.#changeOf(state)));
  }

  #changeOf({ key, value, revision, previous }: StateOfKey): MetadataChange {
    const before = previous?.unreadable === undefined ? previous?.value : undefined;
    return new Change({ path: this.#pathOf(key), revision, now: value, before });
  }

  #pathOf(key: string): string {
    return key.slice(this.#store.keyPrefix.length);
  }

  async #tellAll(): Promise<number> {
    const { storage, keyPrefix } = this.#store;
    const timeSlice = new TimeSlice();
    let revision = 0;
    const unreadable: ObjectPlace[] = [];
    this.#follower.begins();
    for await (const page of storagePages(storage, keyPrefix)) {
      ({ revision } = page);
      if (timeSlice.isOver) await timeSlice.next();
      this.#tell(page.kvs.map(({ modRevision, ...kv }) => ({ ...kv, revision: modRevision })));
      for (const kv of page.kvs) if (kv.unreadable !== undefined) unreadable.push(placeOf(this.#pathOf(kv.key)));
    }
    this.#follower.complete(unreadable);
    return revision;
  }

  #startAgain(): void {
    this.#watch = undefined;
    this.#reached?.resolve();
    if (this.#ended) return;
    const again = (): void => {
      this.start().catch((error: unknown) => {
        if (!this.#ended) this.#attempts.failed(error);
        this.#startAgain();
      });
    };
    this.#retry = setTimeout(again, this.#attempts.delayMs()).unref();
  }
}

/** Computes its fields on demand: most changes are discarded by a prefilter. */
class Change implements MetadataChange {
  readonly now: StoredMetadata | undefined;
  readonly before: StoredMetadata | undefined;
  readonly #path: string;
  readonly #revision: number;

  constructor({ path, revision, now, before }: ChangeParts) {
    this.#path = path;
    this.#revision = revision;
    this.now = now === undefined ? undefined : new StoredText(now);
    this.before = before === undefined ? undefined : new StoredText(before);
  }

  get namespace(): string {
    return placeOf(this.#path).namespace;
  }

  get name(): string {
    return placeOf(this.#path).name;
  }

  get resourceVersion(): string {
    return String(this.#revision);
  }
}

/** The place of an object, from its path relative to the prefix of the kind. */
function placeOf(path: string): ObjectPlace {
  const slash = path.indexOf('/');
  return { namespace: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
}

/** In a list or an event. */
type StateOfKey = Pick<StorageEvent, 'key' | 'revision' | 'value' | 'unreadable'> &
  Partial<Pick<StorageEvent, 'previous'>>;

interface ChangeParts {
  /** The key, relative to the prefix of the kind. */
  readonly path: string;
  readonly revision: number;
  readonly now: Uint8Array | undefined;
  readonly before: Uint8Array | undefined;
}
