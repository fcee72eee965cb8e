import { Backoff } from '../../api/scheduling/backoff.ts';
import type { Collection } from '../../api/client/client.ts';
import type { GroupVersionResource } from '../../api/meta/group-version.ts';
import type { MetadataChange, MetadataFollower } from '../../api/client/metadata-client.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { pause } from '../../api/scheduling/pause.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { RemoteVersion } from '../../catalogue/remote-version.ts';
import { RemoteObjects } from '../../client/remote-objects.ts';
import { remoteResource } from '../../client/remote-resources.ts';
import { StoredText } from './stored-text.ts';

export interface RemoteFollowingOptions {
  readonly catalogue: LiveCatalogue;
  readonly user: UserInfo;
  readonly onError: (error: unknown) => void;
}

/** A resource in the version in which it is currently served, and by whom. */
interface ServedCollection {
  readonly collection: Collection;
  readonly remote: RemoteVersion;
}

const settledMs = 8_000;
const restartMs = 100;

/**
 * One resource of another server: all that is there, then what a watch tells, and the same again after a failure.
 *
 * | state     | until                                                                           |
 * |-----------|---------------------------------------------------------------------------------|
 * | waiting   | its APIService is available                                                     |
 * | telling   | all objects have been told; after a failure, and a pause, waiting               |
 * | watching  | the watch fails, or another server serves the resource; a watch that ends goes on |
 */
export class RemoteFollowing implements AsyncDisposable {
  readonly #resource: Pick<GroupVersionResource, 'group' | 'resource'>;
  readonly #follower: MetadataFollower;
  readonly #options: RemoteFollowingOptions;
  readonly #stop = new AbortController();
  readonly #listed = Promise.withResolvers<void>();
  /** The last states of objects with owners, and of those that are being deleted, by place. */
  readonly #kept = new Map<string, StoredText>();
  #running = Promise.resolve();
  /** Called when the served resources change. */
  #changed: () => void = () => undefined;

  constructor(
    resource: Pick<GroupVersionResource, 'group' | 'resource'>,
    follower: MetadataFollower,
    options: RemoteFollowingOptions,
  ) {
    this.#resource = resource;
    this.#follower = follower;
    this.#options = options;
  }

  /** Resolves when all objects have been told for the first time, or the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    this.#running = this.#run();
    const give = (): void => this.#listed.resolve();
    signal.addEventListener('abort', give, { once: true });
    if (signal.aborted) give();
    await this.#listed.promise;
    signal.removeEventListener('abort', give);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#changed();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { catalogue, onError } = this.#options;
    using _subscription = catalogue.subscribe(() => this.#changed());
    const { signal } = this.#stop;
    const backoff = new Backoff();
    while (!signal.aborted) {
      const place = this.#place();
      if (place?.remote.isAvailable !== true) {
        await this.#change();
        continue;
      }
      try {
        const resourceVersion = await this.#tellAll(place);
        backoff.startOver();
        await this.#watch(place, resourceVersion);
      } catch (error) {
        if (!signal.aborted) onError(error);
        await backoff.pause(signal);
      }
    }
  }

  #place(): ServedCollection | undefined {
    const { current } = this.#options.catalogue;
    const served = remoteResource(current, this.#resource);
    const remote = served && current.remote(served.group, served.version);
    return remote && { collection: { ...this.#resource, version: served.version, namespace: '' }, remote };
  }

  async #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#changed = resolve;
    await promise;
  }

  async #tellAll({ collection, remote }: ServedCollection): Promise<string> {
    const timeSlice = new TimeSlice();
    let resourceVersion = '';
    this.#follower.begins();
    this.#kept.clear();
    for await (const page of new RemoteObjects(remote, this.#options.user).pages(collection)) {
      for (const object of page.items) {
        if (timeSlice.isOver) await timeSlice.next();
        this.#follower.changes([this.#changeOf(object, { isGone: false })]);
      }
      ({ resourceVersion } = page);
    }
    this.#follower.complete([]);
    this.#listed.resolve();
    return resourceVersion;
  }

  /** Ends when another server serves the resource. */
  async #watch({ collection, remote }: ServedCollection, from: string): Promise<void> {
    const other = new AbortController();
    this.#changed = () => {
      if (this.#place()?.remote.server !== remote.server) other.abort();
    };
    const signal = AbortSignal.any([this.#stop.signal, other.signal]);
    const objects = new RemoteObjects(remote, this.#options.user);
    let resourceVersion = from;
    while (!signal.aborted) {
      const startMs = performance.now();
      const reached = (version: string): void => {
        resourceVersion = version;
      };
      try {
        for await (const { type, object } of objects.watch(collection, { resourceVersion, signal }, reached)) {
          this.#follower.changes([this.#changeOf(object, { isGone: type === 'DELETED' })]);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (performance.now() - startMs < settledMs) await pause(restartMs, signal);
    }
  }

  #changeOf({ metadata }: KubernetesObject, { isGone }: { readonly isGone: boolean }): MetadataChange {
    const { namespace = '', name = '', resourceVersion = '', ownerReferences, deletionTimestamp } = metadata;
    const path = `${namespace}/${name}`;
    const text = new StoredText(Buffer.from(JSON.stringify({ metadata })));
    const before = isGone ? text : this.#kept.get(path);
    if (isGone || (ownerReferences === undefined && deletionTimestamp === undefined)) this.#kept.delete(path);
    else this.#kept.set(path, text);
    return { namespace, name, resourceVersion, now: isGone ? undefined : text, before };
  }
}
