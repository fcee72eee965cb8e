import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { pods } from './core-collections.ts';
import { type FollowedObjects, keyOf, partsOfKey } from './followed-objects.ts';
import { hasEnded, type StoredPod } from './pods.ts';

export const podGroups = { group: 'scheduling.k8s.io', version: 'v1beta1', resource: 'podgroups', namespace: '' };
const finalizer = 'scheduling.k8s.io/podgroup-protection';

/**
 * Removes the finalizer of the admission plugin PodGroupProtection from deleted groups when no pod of theirs is left
 * that has not ended.
 */
export class PodGroupProtectionController implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #groups: FollowedObjects<KubernetesObject>;
  /** Names of the pods that have not ended, by the key of their group. */
  readonly #active = new Map<string, Set<string>>();
  /** Pods are not needed before a group is deleted. */
  #pods: FollowedObjects<StoredPod> | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#loop = new ControlLoop(context, (key) => this.#work(key), { queue: 'podgroupprotection', workers: 1 });
    this.#groups = this.#loop.follow(podGroups, {
      keep: (group) => (isHeldWhileDeleted(group) ? group : undefined),
      changed: ({ now, key }) => {
        if (now !== undefined) this.#loop.queue.add(key);
      },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  #followPods(): FollowedObjects<StoredPod> {
    return this.#loop.follow(pods, {
      keep: (pod) => (isActive(pod) ? pod : undefined),
      changed: ({ now, before }) => {
        if (before !== undefined) this.#forget(before);
        if (now !== undefined) this.#note(now);
      },
    });
  }

  #note(pod: StoredPod): void {
    const group = groupOf(pod);
    if (group === undefined) return;
    const active = this.#active.get(group) ?? new Set();
    this.#active.set(group, active.add(pod.metadata.name ?? ''));
  }

  #forget(pod: StoredPod): void {
    const group = groupOf(pod);
    if (group === undefined) return;
    const active = this.#active.get(group);
    active?.delete(pod.metadata.name ?? '');
    if (active?.size !== 0) return;
    this.#active.delete(group);
    this.#loop.queue.add(group);
  }

  async #work(key: string): Promise<void> {
    const { namespace, name } = partsOfKey(key);
    this.#pods ??= this.#followPods();
    await this.#pods.ready;
    const group = this.#groups.get(namespace, name);
    if (group === undefined || this.#active.has(key)) return;
    const finalizers = (group.metadata.finalizers ?? []).filter((other) => other !== finalizer);
    try {
      await this.#context.client.update(podGroups, { ...group, metadata: { ...group.metadata, finalizers } });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

function isHeldWhileDeleted({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);
}

/** The fields read of a decoded pod. */
function isActive(pod: StoredPod): boolean {
  return groupOf(pod) !== undefined && !hasEnded(pod);
}

/** The key of the group; undefined if it is in none. */
function groupOf({ metadata, spec }: StoredPod): string | undefined {
  const name = spec?.schedulingGroup?.podGroupName;
  return name === undefined ? undefined : keyOf(metadata.namespace ?? '', name);
}
