import type { AdmissionAttributes } from '../../api/admission.ts';
import type { Client } from '../../api/client.ts';
import type { Clock } from '../../api/clock.ts';
import { pause } from '../../api/pause.ts';
import { isReason } from '../../api/status.ts';
import { internalError } from '../../api/status-errors.ts';
import type { StoredObjects } from '../../api/stored-objects.ts';
import { amountsOf } from '../pod-amounts.ts';
import { deviceClasses } from './device-classes.ts';
import type { Evaluator, UsageContext } from './evaluator.ts';
import { NamespaceQueues } from './namespace-queues.ts';
import { sameAmounts } from './quota-amounts.ts';
import type { LimitedResource } from './quota-config.ts';
import { chargedQuotas, type StoredQuota } from './request-check.ts';

export interface LedgerOptions {
  readonly stored: StoredObjects;
  readonly client: () => Client;
  readonly clock: Clock;
  readonly isOn: (gate: string) => boolean;
  readonly limited: readonly LimitedResource[];
}

/** A request that waits to be charged. */
interface Charge {
  readonly attributes: AdmissionAttributes;
  readonly evaluator: Evaluator;
  readonly settle: PromiseWithResolvers<void>;
}

export const quotaCollection = { group: '', version: 'v1', plural: 'resourcequotas' };
const quotaResource = { group: '', version: 'v1', resource: 'resourcequotas' };
/** How often what other servers write at the same time may come before us. */
const maxAttempts = 16;
const patienceMs = 10_000;

/**
 * Charges quotas with requests. Concurrent requests of one namespace are charged together, with one status update per
 * quota. A conflicting update is retried: the quota is read again and the requests are checked against it.
 */
export class QuotaLedger {
  readonly #options: LedgerOptions;
  readonly #queues: NamespaceQueues<Charge>;
  /** What has been written last, of namespaces that are worked on: the watch cache may not know it yet. */
  readonly #written = new Map<string, StoredQuota>();

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#queues = new NamespaceQueues((namespace, batch) => this.#settle(namespace, batch));
  }

  /** Rejects with a StatusError when a quota would be exceeded. */
  async charge(attributes: AdmissionAttributes, evaluator: Evaluator): Promise<void> {
    if (this.#options.limited.length === 0) {
      const quotas = await this.#options.stored.list(quotaCollection, attributes.namespace);
      if (quotas.length === 0) return;
    }
    const settle = Promise.withResolvers<void>();
    this.#queues.add(attributes.namespace, { attributes, evaluator, settle });
    const enough = new AbortController();
    const timedOut = pause(patienceMs, enough.signal).then(() => {
      if (!enough.signal.aborted) throw internalError('resource quota evaluation timed out');
    });
    await Promise.race([settle.promise, timedOut]).finally(() => enough.abort());
  }

  async #settle(namespace: string, batch: readonly Charge[]): Promise<void> {
    try {
      const known = (await this.#options.stored.list(quotaCollection, namespace)) as readonly StoredQuota[];
      await this.#settleAgainst(
        known.map((quota) => this.#latest(quota)),
        batch,
      );
    } catch (error) {
      for (const { settle } of batch) settle.reject(error);
    }
  }

  /** Judges all, writes what changes, and judges anew those whose quotas others have written. */
  async #settleAgainst(quotas: readonly StoredQuota[], batch: readonly Charge[]): Promise<void> {
    let [left, waiting] = [quotas, batch];
    for (let attempt = 1; ; attempt += 1) {
      const { charged, pending } = await this.#judge(left, waiting);
      if (pending.length === 0) return;
      const failed: StoredQuota[] = [];
      let failure: unknown;
      for (const [index, quota] of charged.entries()) {
        if (isSame(quota, left[index])) continue;
        try {
          await this.#write(quota);
        } catch (error) {
          failed.push(quota);
          failure = error;
        }
      }
      if (failed.length === 0 || attempt === maxAttempts) {
        for (const { settle } of pending)
          if (failed.length === 0) settle.resolve();
          else settle.reject(failure);
        return;
      }
      [left, waiting] = [await this.#readAgain(failed), pending];
    }
  }

  /** Answers those that nothing has to be written for; what else is charged waits for it. */
  async #judge(quotas: readonly StoredQuota[], batch: readonly Charge[]) {
    const { limited } = this.#options;
    let charged = quotas;
    const pending: Charge[] = [];
    for (const charge of batch) {
      const { attributes, evaluator, settle } = charge;
      try {
        const context = await this.#contextFor(evaluator);
        const next = await chargedQuotas(charged, { attributes, evaluator, context, limited });
        const changes = next.some((quota, index) => !isSame(quota, charged[index]));
        if (attributes.dryRun || !changes) settle.resolve();
        else {
          pending.push(charge);
          charged = next;
        }
      } catch (error) {
        settle.reject(error);
      }
    }
    return { charged, pending };
  }

  async #contextFor({ collection }: Evaluator): Promise<UsageContext> {
    const { stored, isOn, clock } = this.#options;
    const classes = await deviceClasses(collection.plural === 'resourceclaims' ? stored : undefined);
    return { stored, isOn, nowMs: clock.now(), classes };
  }

  async #write(quota: StoredQuota): Promise<void> {
    const written = await this.#options.client().update(quotaResource, quota, 'status');
    this.#written.set(keyOf(quota), written as StoredQuota); // a quota, as it was written
  }

  #latest(quota: StoredQuota): StoredQuota {
    const key = keyOf(quota);
    const written = this.#written.get(key);
    if (written === undefined) return quota;
    if (written.metadata.uid === quota.metadata.uid && versionOf(written) > versionOf(quota)) return written;
    this.#written.delete(key);
    return quota;
  }

  /** From the store itself; those that are gone count no more. */
  async #readAgain(quotas: readonly StoredQuota[]): Promise<readonly StoredQuota[]> {
    const read = quotas.map(async ({ metadata: { namespace = '', name = '' } }) => {
      try {
        return (await this.#options.client().get({ ...quotaResource, namespace, name })) as StoredQuota;
      } catch (error) {
        if (isReason(error, 'NotFound')) return undefined;
        throw error;
      }
    });
    return (await Promise.all(read)).filter((quota) => quota !== undefined);
  }
}

function isSame(a: StoredQuota, b: StoredQuota | undefined): boolean {
  return a === b || sameAmounts(amountsOf(a.status?.used), amountsOf(b?.status?.used));
}

function keyOf({ metadata: { namespace = '', name = '' } }: StoredQuota): string {
  return `${namespace}/${name}`;
}

function versionOf({ metadata }: StoredQuota): bigint {
  return BigInt(metadata.resourceVersion ?? '0');
}
