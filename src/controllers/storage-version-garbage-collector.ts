import { identityLabel, identityLeaseCollection, identityOfServers } from '../api/meta/identity-lease.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { formatTime, timeOf } from '../api/time/time.ts';
import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionStatus,
} from '../schema/kubernetes/generated/types/apiserverinternal-v1alpha1.ts';
import { type NewCondition, withCondition } from './conditions.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { type FollowedObjects, partsOfKey } from './followed-objects.ts';

type StoredVersion = KubernetesObject & StorageVersion;

export const storageVersions = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  resource: 'storageversions',
  namespace: '',
};

const type = 'AllEncodingVersionsEqual';
const commonSet: NewCondition = {
  type,
  status: 'True',
  reason: 'CommonEncodingVersionSet',
  message: 'Common encoding version set',
};
const commonUnset: NewCondition = {
  type,
  status: 'False',
  reason: 'CommonEncodingVersionUnset',
  message: 'Common encoding version unset',
};

/** Removes servers without a Lease from StorageVersions, as they will not store anything any more. */
export class StorageVersionGarbageCollector implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #versions: FollowedObjects<StoredVersion>;
  readonly #servers: FollowedObjects<true>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#loop = new ControlLoop(context, (key) => this.#work(key), {
      queue: 'storage_version_garbage_collector_storageversions',
      workers: 1,
    });
    this.#servers = this.#loop.follow(identityLeaseCollection, {
      keep: ({ metadata: { labels = {} } }) => (labels[identityLabel] === identityOfServers ? true : undefined),
      changed: ({ now }) => {
        if (now !== undefined) return;
        for (const { metadata } of this.#versions.all()) this.#loop.queue.add(`/${metadata.name}`);
      },
    });
    this.#versions = this.#loop.follow(storageVersions, {
      keep: (version) => version, // decoded by its schema
      changed: ({ now, key }) => {
        if (now !== undefined) this.#loop.queue.add(key);
      },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  async #work(key: string): Promise<void> {
    const { name } = partsOfKey(key);
    const version = this.#versions.get('', name);
    if (version === undefined) return;
    const known = version.status?.storageVersions ?? [];
    const left: ServerStorageVersion[] = [];
    for (const each of known) if (await this.#isServer(each.apiServerID ?? '')) left.push(each);
    if (left.length === known.length) return;
    const { client } = this.#context;
    try {
      if (left.length === 0) await client.delete({ ...storageVersions, name });
      else await client.update(storageVersions, { ...version, status: this.#statusOf(version, left) }, 'status');
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  #statusOf({ status }: StoredVersion, left: readonly ServerStorageVersion[]): StorageVersionStatus {
    const encodings = new Set(left.map(({ encodingVersion }) => encodingVersion));
    const [common] = encodings;
    const agrees = encodings.size === 1 && common !== undefined;
    const condition = agrees ? commonSet : commonUnset;
    const now = formatTime(timeOf(this.#context.clock.now()));
    return {
      ...(agrees ? { commonEncodingVersion: common } : {}),
      storageVersions: [...left],
      conditions: withCondition(status?.conditions ?? [], condition, now),
    };
  }

  /** A server writes its Lease first, but its event may come later. */
  async #isServer(id: string): Promise<boolean> {
    if (this.#servers.get(identityLeaseCollection.namespace, id) === true) return true;
    try {
      const { metadata } = await this.#context.client.get({ ...identityLeaseCollection, name: id });
      return metadata.labels?.[identityLabel] === identityOfServers;
    } catch (error) {
      if (isReason(error, 'NotFound')) return false;
      throw error;
    }
  }
}
