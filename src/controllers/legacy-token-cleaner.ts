import type { KubernetesObject } from '../api/meta/object.ts';
import { pauseOn } from '../api/scheduling/pause.ts';
import { isReason } from '../api/errors/status.ts';
import { TimeSlice } from '../api/scheduling/time-slice.ts';
import type { ConfigMap, Pod } from '../schema/kubernetes/generated/types/core-v1.ts';
import { secretsOfPod } from '../schema/kubernetes/pod-references.ts';
import {
  accountNameAnnotation,
  accountSecretType,
  accountUidAnnotation,
  type StoredAccount,
  type StoredSecret,
} from './account-secrets.ts';
import type { ControllerContext } from './controller-context.ts';
import { configMaps, pods, secrets, serviceAccounts } from './core-collections.ts';

const dayMs = 86_400_000;
const trackingMap = {
  ...configMaps,
  namespace: 'kube-system',
  name: 'kube-apiserver-legacy-service-account-token-tracking',
};
const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';

/**
 * Looks once a day for tokens that kube-controller-manager once made for every account, that no pod mounts, and that
 * nobody has used for a long time (`--legacy-service-account-token-clean-up-period`). Such a token is marked as
 * invalid, and after as long again deleted.
 */
export class LegacyTokenCleaner implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #stop = new AbortController();
  readonly #working: Promise<void>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#working = this.#work();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#pass();
      } catch (error) {
        this.#context.onError(error);
      }
      await pauseOn(this.#context.clock, dayMs, signal);
    }
  }

  async #pass(): Promise<void> {
    const { client, clock, config } = this.#context;
    const nowMs = clock.now();
    const keptFromMs = nowMs - config.legacyTokenCleanUpPeriodMs;
    // A new server, or one that has not tracked uses for long enough, cannot tell that a token is unused.
    if ((await this.#trackedSinceMs()) > keptFromMs) return;
    const period = { nowMs, keptFromMs, keptFromDay: dayOf(keptFromMs) };
    const { items } = await client.list(secrets);
    const timeSlice = new TimeSlice();
    for (const object of items) {
      if (this.#stop.signal.aborted) return;
      if (timeSlice.isOver) await timeSlice.next();
      const secret = object as StoredSecret; // decoded by its schema
      if (isOld(secret, period) && (await this.#isGenerated(secret)) && !(await this.#isMounted(secret))) {
        await this.#retire(secret, period).catch(this.#context.onError);
      }
    }
  }

  /** The start of the first full day of tracking. */
  async #trackedSinceMs(): Promise<number> {
    try {
      const map = (await this.#context.client.get(trackingMap)) as KubernetesObject & ConfigMap; // of that kind
      const since = map.data?.['since'] ?? '';
      return isDay(since) ? Date.parse(since) + dayMs : Number.POSITIVE_INFINITY;
    } catch (error) {
      if (isReason(error, 'NotFound')) return Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  /** Generated tokens are those that their account lists. */
  async #isGenerated({ metadata }: StoredSecret): Promise<boolean> {
    const { namespace = '', name = '', annotations = {} } = metadata;
    const accountName = annotations[accountNameAnnotation] ?? '';
    if (accountName === '') return false;
    try {
      const found = await this.#context.client.get({ ...serviceAccounts, namespace, name: accountName });
      const account = found as StoredAccount; // of that kind
      const uid = annotations[accountUidAnnotation] ?? '';
      if (uid !== '' && uid !== account.metadata.uid) return false;
      return (account.secrets ?? []).some((secret) => secret.name === name);
    } catch (error) {
      if (isReason(error, 'NotFound')) return false;
      throw error;
    }
  }

  async #isMounted({ metadata: { namespace = '', name = '' } }: StoredSecret): Promise<boolean> {
    const { items } = await this.#context.client.list({ ...pods, namespace });
    return items.some((pod) => [...secretsOfPod(pod as KubernetesObject & Pod)].includes(name)); // decoded by its schema
  }

  async #retire(secret: StoredSecret, { nowMs, keptFromDay }: Period): Promise<void> {
    const { client } = this.#context;
    const { namespace = '', name = '', labels = {}, resourceVersion = '' } = secret.metadata;
    const invalidSince = labels[invalidSinceLabel] ?? '';
    try {
      if (!isDay(invalidSince)) {
        const marked = { ...labels, [invalidSinceLabel]: dayOf(nowMs) };
        await client.update(secrets, { ...secret, metadata: { ...secret.metadata, labels: marked } });
      } else if (invalidSince < keptFromDay) {
        await client.delete({ ...secrets, namespace, name }, { preconditions: { resourceVersion } });
      }
    } catch (error) {
      if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error;
    }
  }
}

interface Period {
  readonly nowMs: number;
  /** Tokens created or used since are kept. */
  readonly keptFromMs: number;
  readonly keptFromDay: string;
}

function isOld({ type, metadata }: StoredSecret, { keptFromMs, keptFromDay }: Period): boolean {
  const { creationTimestamp = '', deletionTimestamp, labels = {} } = metadata;
  if (type !== accountSecretType || deletionTimestamp !== undefined) return false;
  if (Date.parse(creationTimestamp) >= keptFromMs) return false;
  const lastUsed = labels[lastUsedLabel];
  return lastUsed === undefined || (isDay(lastUsed) && lastUsed < keptFromDay);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;
}
