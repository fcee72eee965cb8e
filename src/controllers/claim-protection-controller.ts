import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { formatTime, timeOf } from '../api/time/time.ts';
import type { PersistentVolumeClaim } from '../schema/kubernetes/generated/types/core-v1.ts';
import { claimOfVolume } from '../schema/kubernetes/pod-references.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { claims, pods } from './core-collections.ts';
import { type FollowedObjects, keyOf, partsOfKey } from './followed-objects.ts';
import { isTerminated, type StoredPod } from './pods.ts';

const finalizer = 'kubernetes.io/pvc-protection';

type StoredClaim = KubernetesObject & PersistentVolumeClaim;

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

const unused: Verdict = {
  status: 'True',
  reason: 'NoPodsUsingPVC',
  message: 'No pods are currently referencing this PVC',
};
const used: Verdict = {
  status: 'False',
  reason: 'PodUsingPVC',
  message: 'A pod is currently referencing this PVC',
};

/**
 * Protects volume claims that pods use.
 *
 * | a claim | |
 * |---|---|
 * | lacks the finalizer | gets it |
 * | is bound | says in the condition `Unused` since when pods have, or have not, referred to it |
 * | is being deleted, and no pod with a node refers to it | loses the finalizer |
 */
export class ClaimProtectionController implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #claims: FollowedObjects<StoredClaim>;
  /** Names of the pods that refer to a claim, by its key. */
  readonly #users = new Map<string, Set<string>>();
  /** Pods are not needed before there are claims. */
  #pods: FollowedObjects<StoredPod> | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#loop = new ControlLoop(context, (key) => this.#work(key), { queue: 'pvcprotection' });
    this.#claims = this.#loop.follow(claims, {
      keep: (claim) => claim as StoredClaim, // decoded by its schema
      changed: ({ now, key }) => {
        if (now !== undefined && (lacksCondition(now) || !isHeld(now) || isGoing(now))) this.#loop.queue.add(key);
      },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  #followPods(): FollowedObjects<StoredPod> {
    return this.#loop.follow(pods, {
      keep: (pod) => pod as StoredPod, // decoded by its schema
      changed: ({ now, before }) => {
        if (before !== undefined) this.#note(before, 'goes');
        if (now !== undefined) this.#note(now, 'comes');
      },
    });
  }

  #note(pod: StoredPod, what: 'comes' | 'goes'): void {
    const { namespace = '', name = '' } = pod.metadata;
    for (const volume of pod.spec?.volumes ?? []) {
      const claim = claimOfVolume(pod, volume);
      if (claim === undefined) continue;
      const key = keyOf(namespace, claim);
      const users = this.#users.get(key) ?? new Set();
      if (what === 'comes') users.add(name);
      else users.delete(name);
      if (users.size > 0) this.#users.set(key, users);
      else this.#users.delete(key);
      this.#loop.queue.add(key);
    }
  }

  async #work(key: string): Promise<void> {
    const { namespace, name } = partsOfKey(key);
    const claim = this.#claims.get(namespace, name);
    if (claim === undefined) return;
    this.#pods ??= this.#followPods();
    await this.#pods.ready;
    try {
      await this.#treat(claim);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  async #treat(claim: StoredClaim): Promise<void> {
    const { client, featureGates } = this.#context;
    const { deletionTimestamp, finalizers = [] } = claim.metadata;
    if (deletionTimestamp === undefined) {
      const tells = featureGates.get('PersistentVolumeClaimUnusedSinceTime') === true;
      if (tells && claim.status?.phase === 'Bound') await this.#tell(claim);
      if (isHeld(claim)) return;
      await client.update(claims, {
        ...claim,
        metadata: { ...claim.metadata, finalizers: [...finalizers, finalizer] },
      });
    } else if (isHeld(claim) && !(await this.#isUsed(claim, usesOnNode))) {
      const others = finalizers.filter((other) => other !== finalizer);
      await client.update(claims, { ...claim, metadata: { ...claim.metadata, finalizers: others } });
    }
  }

  async #tell(claim: StoredClaim): Promise<void> {
    const verdict = (await this.#isUsed(claim, (pod) => !isTerminated(pod) && usesClaim(pod, claim))) ? used : unused;
    const conditions = claim.status?.conditions ?? [];
    const known = conditions.find(({ type }) => type === 'Unused');
    if (known !== undefined && (known.status === 'True') === (verdict === unused)) return;
    const lastTransitionTime = formatTime(timeOf(this.#context.clock.now()));
    const condition = { type: 'Unused', ...verdict, lastTransitionTime };
    const next =
      known === undefined ? [...conditions, condition] : conditions.map((each) => (each === known ? condition : each));
    await this.#context.client.update(claims, { ...claim, status: { ...claim.status, conditions: next } }, 'status');
  }

  async #isUsed(claim: StoredClaim, uses: (pod: StoredPod, claim: StoredClaim) => boolean): Promise<boolean> {
    const { namespace = '', name = '' } = claim.metadata;
    for (const user of this.#users.get(keyOf(namespace, name)) ?? []) {
      const pod = this.#pods?.get(namespace, user);
      if (pod !== undefined && uses(pod, claim)) return true;
    }
    // The pod may not have been seen yet.
    const { items } = await this.#context.client.list({ ...pods, namespace });
    return (items as StoredPod[]).some((pod) => uses(pod, claim)); // decoded by its schema
  }
}

function isHeld({ metadata }: StoredClaim): boolean {
  return (metadata.finalizers ?? []).includes(finalizer);
}

function isGoing({ metadata }: StoredClaim): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function lacksCondition({ status }: StoredClaim): boolean {
  return !(status?.conditions ?? []).some(({ type }) => type === 'Unused');
}

/**
 * No kubelet starts a pod with a claim that goes; a pod that its kubelet has done with keeps no claim that was made for
 * it.
 */
function usesOnNode(pod: StoredPod, claim: StoredClaim): boolean {
  if ((pod.spec?.nodeName ?? '') === '') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const isDone = deletionTimestamp !== undefined && Number(deletionGracePeriodSeconds ?? 1) === 0;
  return usesClaim(pod, claim, isDone ? 'named' : 'any');
}

/** A claim created for a pod is used by that pod only. */
function usesClaim(pod: StoredPod, { metadata }: StoredClaim, volumes: 'any' | 'named' = 'any'): boolean {
  const isForPod = (metadata.ownerReferences ?? []).some(
    ({ controller, uid }) => controller === true && uid === pod.metadata.uid,
  );
  return (pod.spec?.volumes ?? []).some(
    (volume) =>
      claimOfVolume(pod, volume) === metadata.name &&
      (volume.ephemeral === undefined || (volumes === 'any' && isForPod)),
  );
}
