import { Backoff } from '../../api/scheduling/backoff.ts';
import type { ClientResource } from '../../api/client/client.ts';
import { keptBy } from '../../api/collections/kept-by.ts';
import type { MetadataChange, MetadataClient, ObjectPlace } from '../../api/client/metadata-client.ts';
import { pause } from '../../api/scheduling/pause.ts';
import { LruMap } from '../../api/collections/lru-map.ts';
import { type ResourceKey, resourceKey } from './resource-key.ts';

export interface FollowedResourcesOptions {
  readonly metadata: MetadataClient;
  readonly changes: (resource: ClientResource, changes: readonly MetadataChange[]) => void;
  /** A resource has been told of once more, because changes had been missed. */
  readonly missing: (resource: ClientResource, exists: (object: ObservedObject) => boolean) => void;
  /** New resources are served. */
  readonly served: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Many definitions are often created together, and each update is about all resources: it waits for a pause of this.
 * The reference looks for new resources every 30 s.
 */
const gatherMs = 50;
const longestGatherMs = 5000;
/** So many resources that are no longer served are remembered to have been told of. */
const maxEnded = 1000;
/** For so long a start waits for other servers. */
const longestStartMs = 30_000;

export type ObservedObject = ObjectPlace & { readonly uid: string };

interface Following {
  readonly stop: AbortController;
  readonly started: Promise<AsyncDisposable | undefined>;
}

/** Every resource that can be deleted, listed and watched, as resources come and go. */
export class FollowedResources implements AsyncDisposable {
  readonly #options: FollowedResourcesOptions;
  readonly #following = new Map<ResourceKey, Following>();
  /** Resources that have been reported at least once. */
  readonly listed = new Set<ResourceKey>();
  /** Definitions come and go. */
  readonly #ended = new LruMap<ResourceKey, true>(maxEnded, (key) => this.listed.delete(key));
  #served: ReadonlyMap<ResourceKey, ClientResource> = new Map();
  #subscription: Disposable | undefined;
  /** The timer of the next update. */
  #due: NodeJS.Timeout | undefined;
  #dueSinceMs = 0;

  constructor(options: FollowedResourcesOptions) {
    this.#options = options;
  }

  /** Resolves when the initial state of all resources has been delivered, but for servers that cannot be reached. */
  async start(): Promise<void> {
    this.#subscription = this.#options.metadata.onResources(() => this.#updateSoon());
    this.#begin();
    const enough = new AbortController();
    const all = [...this.#following.values()].map(({ started }) => started);
    await Promise.race([Promise.all(all), pause(longestStartMs, enough.signal)]);
    enough.abort();
  }

  /** A resource in its currently served version. */
  served(key: ResourceKey): ClientResource | undefined {
    if (this.#due !== undefined) this.#begin();
    return this.#served.get(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription?.[Symbol.dispose]();
    clearTimeout(this.#due);
    await Promise.all([...this.#following.keys()].map((key) => this.#end(key)));
  }

  #updateSoon(): void {
    const nowMs = performance.now();
    if (this.#due === undefined) {
      this.#dueSinceMs = nowMs;
      this.#due = setTimeout(() => this.#begin(), gatherMs).unref();
    } else if (nowMs - this.#dueSinceMs < longestGatherMs) this.#due.refresh();
  }

  /** Begins an update. */
  #begin(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    this.#find();
  }

  /** Metrics are resources to some servers: there may be thousands. */
  #find(): void {
    const served = new Map<ResourceKey, ClientResource>();
    for (const resource of this.#options.metadata.resources()) {
      const key = followedKey(resource);
      if (key !== undefined) served.set(key, resource);
    }
    this.#take(served);
  }

  #take(served: ReadonlyMap<ResourceKey, ClientResource>): void {
    this.#served = served;
    let isNew = false;
    for (const [key, resource] of served) {
      if (this.#following.has(key)) continue;
      isNew = true;
      const stop = new AbortController();
      this.#ended.delete(key);
      this.#following.set(key, { stop, started: this.#follow(key, resource, stop.signal) });
    }
    for (const key of this.#following.keys()) if (!served.has(key)) void this.#end(key);
    if (isNew) this.#options.served();
  }

  async #end(key: ResourceKey): Promise<void> {
    const following = this.#following.get(key);
    this.#following.delete(key);
    this.#ended.set(key, true);
    following?.stop.abort();
    await (await following?.started)?.[Symbol.asyncDispose]();
  }

  async #follow(key: ResourceKey, resource: ClientResource, signal: AbortSignal): Promise<AsyncDisposable | undefined> {
    const { metadata, onError } = this.#options;
    const follower = this.#followerOf(key, resource);
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        return await metadata.follow(resource, follower, signal);
      } catch (error) {
        if (signal.aborted) return undefined;
        onError(error);
        await backoff.pause(signal);
      }
    }
    return undefined;
  }

  #followerOf(key: ResourceKey, first: ClientResource): Parameters<MetadataClient['follow']>[1] {
    const { changes, missing } = this.#options;
    let listed: Set<string> | undefined;
    const resource = (): ClientResource => this.#served.get(key) ?? first;
    return {
      begins: () => {
        listed = this.listed.has(key) ? new Set() : undefined;
      },
      changes(all) {
        if (listed !== undefined) for (const { now } of all) listed.add(now?.uid() ?? '');
        changes(resource(), all);
      },
      complete: (unreadable) => {
        if (listed !== undefined) missing(resource(), whetherThere(listed, unreadable));
        listed = undefined;
        this.listed.add(key);
      },
    };
  }
}

/** What cannot be read at the place of an object may be that object. */
function whetherThere(
  listed: ReadonlySet<string>,
  unreadable: readonly ObjectPlace[],
): (object: ObservedObject) => boolean {
  const places = new Set(unreadable.map(({ namespace, name }) => `${namespace}/${name}`));
  return ({ uid, namespace, name }) => listed.has(uid) || places.has(`${namespace}/${name}`);
}

/** Undefined for resources that are not followed. */
const followedKey = keptBy((resource: ClientResource): ResourceKey | undefined =>
  isFollowed(resource) ? resourceKey(resource) : undefined,
);

/** Events have no owners, and are numerous. */
function isFollowed({ group, resource, verbs }: ClientResource): boolean {
  if (resource === 'events' && (group === '' || group === 'events.k8s.io')) return false;
  return ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb));
}
