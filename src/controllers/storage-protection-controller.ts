import type { ObjectReference } from '../api/client.ts';
import type { KubernetesObject } from '../api/object.ts';
import { isReason } from '../api/status.ts';
import type { ControllerContext } from './controller-context.ts';
import { follow } from './follow.ts';
import { pause } from '../api/pause.ts';
import type { StorageProtection } from './storage-protections.ts';

const firstDelayMs = 100;
const longestDelayMs = 8000;

/**
 * Removes the finalizers of the admission plugin StorageObjectInUseProtection from terminating objects once they are
 * unused, so that deletions complete without a kube-controller-manager. Next to one it is harmless: both remove the
 * same finalizer.
 */
export class StorageProtectionController implements AsyncDisposable {
  readonly #options: ControllerContext;
  readonly #stop = new AbortController();
  /** UIDs of the objects in progress. */
  readonly #working = new Map<string, Promise<void>>();
  readonly #following: Promise<unknown>;

  constructor(options: ControllerContext, rows: readonly StorageProtection[]) {
    this.#options = options;
    const { shared, onError } = options;
    const served = shared.resources();
    const isServed = ({ collection: { group, resource } }: StorageProtection): boolean =>
      served.some((each) => each.group === group && each.resource === resource);
    this.#following = Promise.all(
      rows.filter(isServed).map((row) =>
        follow(row.collection, {
          client: shared,
          signal: this.#stop.signal,
          notice: (object) => this.#notice(row, object),
          onError,
        }),
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#following;
    await Promise.all(this.#working.values());
  }

  #notice(row: StorageProtection, object: KubernetesObject): void {
    const { uid = '' } = object.metadata;
    if (!isHeld(row, object) || this.#working.has(uid)) return;
    this.#working.set(
      uid,
      this.#release(row, object).finally(() => this.#working.delete(uid)),
    );
  }

  /** Ends when the object is gone or no longer protected. The end of a use is not an event, so it is polled for. */
  async #release(row: StorageProtection, { metadata }: KubernetesObject): Promise<void> {
    const { signal } = this.#stop;
    const reference = { ...row.collection, namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    const queue = this.#options.queues.of(row.queue);
    for (let delayMs = firstDelayMs; !signal.aborted; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
      try {
        if (await queue.run(() => this.#releaseUnused(row, reference))) return;
      } catch (error) {
        if (isReason(error, 'NotFound')) return;
        if (!isReason(error, 'Conflict')) this.#options.onError(error);
      }
      await pause(delayMs, signal);
    }
  }

  /** False while the object is in use. */
  async #releaseUnused(row: StorageProtection, reference: ObjectReference): Promise<boolean> {
    const { client } = this.#options;
    const object = await client.get(reference);
    if (!isHeld(row, object)) return true;
    if (await this.#isUsed(row, object)) return false;
    const finalizers = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== row.finalizer);
    await client.update(row.collection, { ...object, metadata: { ...object.metadata, finalizers } });
    return true;
  }

  async #isUsed(row: StorageProtection, object: KubernetesObject): Promise<boolean> {
    const namespace = object.metadata.namespace ?? '';
    const lists = await Promise.all(row.users.map((users) => this.#options.client.list({ ...users, namespace })));
    return row.isUsed(
      object,
      lists.flatMap(({ items }) => items),
    );
  }
}

function isHeld({ finalizer }: StorageProtection, { metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);
}
