import type { AdmissionAttributes } from '../../api/admission.ts';
import type { Client } from '../../api/client.ts';
import type { Clock } from '../../api/clock.ts';
import type { DelayedWrites } from '../../api/delayed-writes.ts';
import type { Soon } from '../../api/soon.ts';
import { isReason } from '../../api/status.ts';
import { internalError } from '../../api/status-errors.ts';
import type { StoredObjects } from '../../api/stored-objects.ts';
import type { StoreTenure } from '../plugin-context.ts';
import { countedQuotas } from './counted-usage.ts';
import { deviceClasses, noClasses } from './device-classes.ts';
import type { Evaluator, UsageContext } from './evaluator.ts';
import { NamespaceQueues } from './namespace-queues.ts';
import { QuotaAccounts } from './quota-accounts.ts';
import type { LimitedResource } from './quota-config.ts';
import { chargedQuotas, type StoredQuota } from './request-check.ts';

export interface LedgerOptions {
  readonly stored: StoredObjects;
  readonly client: () => Client;
  readonly clock: Clock;
  readonly isOn: (gate: string) => boolean;
  readonly limited: readonly LimitedResource[];
  readonly tenure: StoreTenure;
  readonly delayed: DelayedWrites;
  readonly onError: (error: unknown) => void;
}

/** A request that waits to be charged. */
interface Charge {
  readonly attributes: AdmissionAttributes;
  readonly evaluator: Evaluator;
  readonly settle: PromiseWithResolvers<void>;
}

/** All that is due is to be written. */
interface Flush {
  readonly settle: PromiseWithResolvers<void>;
}

export const quotaCollection = { group: '', version: 'v1', plural: 'resourcequotas' };
const quotaResource = { group: '', version: 'v1', resource: 'resourcequotas' };
/** How often what other servers write at the same time may come before us. */
const maxAttempts = 16;
const patienceMs = 10_000;
/** After a write of a quota, further charges are written together so much later. */
const delayMs = 200;
const retryMs = 1000;

/**
 * Charges quotas with requests. Concurrent requests of one namespace are charged together, with one status update per
 * quota. A conflicting update is retried: the quota is read again and the requests are checked against it.
 *
 * A server that has its store alone knows what it has charged. It writes the first charge before the request goes on,
 * and those of the next moments together after them; whoever reads a quota has them written first. When the server is
 * killed in such a moment, the next one counts the objects before it charges.
 */
export class QuotaLedger {
  readonly #options: LedgerOptions;
  readonly #queues: NamespaceQueues<Charge | Flush>;
  readonly #accounts = new Map<string, QuotaAccounts>();
  /** Of namespaces with quotas that have to be written. */
  readonly #due = new Map<string, NodeJS.Timeout>();
  /** Namespaces whose objects have been counted, if they have to be. */
  readonly #counted = new Set<string>();

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#queues = new NamespaceQueues((namespace, batch) => this.#settle(namespace, batch));
    options.delayed.add((namespace) => this.#flushDue(namespace));
  }

  /** Rejects with a StatusError when a quota would be exceeded. */
  async charge(attributes: AdmissionAttributes, evaluator: Evaluator): Promise<void> {
    if (this.#options.limited.length === 0) {
      const quotas = await this.#options.stored.list(quotaCollection, attributes.namespace);
      if (quotas.length === 0) return;
    }
    const settle = Promise.withResolvers<void>();
    this.#queues.add(attributes.namespace, { attributes, evaluator, settle });
    const timeout = setTimeout(() => settle.reject(internalError('resource quota evaluation timed out')), patienceMs);
    timeout.unref();
    await settle.promise.finally(() => clearTimeout(timeout));
  }

  #flushDue(only: string): Soon<void> {
    const due = [...this.#due.keys()].filter((namespace) => only === '' || namespace === only);
    if (due.length > 0) return Promise.all(due.map((namespace) => this.#flush(namespace))).then(() => undefined);
  }

  #flush(namespace: string): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.#queues.add(namespace, { settle });
    return settle.promise;
  }

  async #settle(namespace: string, batch: readonly (Charge | Flush)[]): Promise<void> {
    const charges = batch.filter((each) => 'attributes' in each);
    const flushes = batch.filter((each) => !('attributes' in each));
    const isFlush = flushes.length > 0;
    try {
      const accounts = await this.#accountsOf(namespace);
      await this.#settleAgainst(accounts, charges, { isFlush, namespace });
      if (isFlush) this.#forgetDue(namespace);
    } catch (error) {
      for (const { settle } of charges) settle.reject(error);
      if (isFlush) {
        this.#options.onError(error);
        this.#forgetDue(namespace);
        this.#writeLater(namespace, retryMs);
      }
    }
    for (const { settle } of flushes) settle.resolve();
  }

  async #accountsOf(namespace: string): Promise<QuotaAccounts> {
    const { stored, tenure, client } = this.#options;
    const known = (await stored.list(quotaCollection, namespace)) as readonly StoredQuota[];
    let accounts = this.#accounts.get(namespace);
    if (accounts === undefined) this.#accounts.set(namespace, (accounts = new QuotaAccounts()));
    accounts.refresh(known);
    if (known.length === 0) this.#accounts.delete(namespace);
    if (tenure.wasCutOff && !this.#counted.has(namespace)) {
      const context = await this.#context();
      accounts.charge(await countedQuotas(accounts.quotas, { resources: client().resources(), context }));
      this.#counted.add(namespace);
    }
    return accounts;
  }

  /** Judges all, writes what changes, and judges anew those whose quotas others have written. */
  async #settleAgainst(
    accounts: QuotaAccounts,
    batch: readonly Charge[],
    { isFlush, namespace }: { readonly isFlush: boolean; readonly namespace: string },
  ): Promise<void> {
    let [left, waiting] = [accounts.quotas, batch];
    for (let attempt = 1; ; attempt += 1) {
      const { charged, pending } = await this.#judge(left, waiting);
      const changed = charged.filter((quota, index) => quota !== left[index]);
      const mayWait = !isFlush && changed.every((quota) => this.#mayWait(accounts.writtenMs(quota)));
      if (mayWait) {
        accounts.charge(changed);
        if (changed.length > 0) this.#writeLater(namespace, delayMs);
      }
      const due = isFlush ? charged.filter((quota) => changed.includes(quota) || accounts.isDue(quota)) : changed;
      const { failed, failure } = await this.#writeAll(accounts, mayWait ? [] : due);
      if (failed.length > 0 && attempt < maxAttempts) {
        [left, waiting] = [await this.#readAgain(accounts, failed), pending];
        continue;
      }
      for (const { settle } of pending)
        if (failed.length === 0) settle.resolve();
        else settle.reject(failure);
      if (failed.length > 0 && isFlush) throw failure;
      return;
    }
  }

  #mayWait(writtenMs: number): boolean {
    const { tenure, clock } = this.#options;
    return !tenure.isShared && clock.now() < writtenMs + delayMs;
  }

  #writeLater(namespace: string, afterMs: number): void {
    if (this.#due.has(namespace)) return;
    const timer = setTimeout(() => void this.#flush(namespace), afterMs);
    this.#due.set(namespace, timer.unref());
  }

  #forgetDue(namespace: string): void {
    clearTimeout(this.#due.get(namespace));
    this.#due.delete(namespace);
  }

  /** Answers those that nothing has to be written for; what else is charged waits for it. */
  async #judge(quotas: readonly StoredQuota[], batch: readonly Charge[]) {
    const { limited } = this.#options;
    let charged = quotas;
    const pending: Charge[] = [];
    for (const charge of batch) {
      const { attributes, evaluator, settle } = charge;
      try {
        const context = await this.#context(evaluator);
        const next = await chargedQuotas(charged, { attributes, evaluator, context, limited });
        const changes = next !== charged && next.some((quota, index) => quota !== charged[index]);
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

  async #context(evaluator?: Evaluator): Promise<UsageContext> {
    const { stored, isOn, clock } = this.#options;
    const needsClasses = evaluator === undefined || evaluator.collection.plural === 'resourceclaims';
    const classes = needsClasses ? await deviceClasses(stored) : noClasses;
    return { stored, isOn, nowMs: clock.now(), classes };
  }

  async #writeAll(accounts: QuotaAccounts, quotas: readonly StoredQuota[]) {
    const { client, clock } = this.#options;
    const failed: StoredQuota[] = [];
    let failure: unknown;
    for (const quota of quotas) {
      try {
        const written = await client().update(quotaResource, quota, 'status');
        accounts.written(written as StoredQuota, clock.now()); // a quota, as it was written
      } catch (error) {
        failed.push(quota);
        failure = error;
      }
    }
    return { failed, failure };
  }

  /** From the store itself; those that are gone count no more. */
  async #readAgain(accounts: QuotaAccounts, quotas: readonly StoredQuota[]): Promise<readonly StoredQuota[]> {
    const names = quotas.map(({ metadata: { name = '' } }) => name);
    const read = quotas.map(async ({ metadata: { namespace = '', name = '' } }) => {
      try {
        accounts.found(name, (await this.#options.client().get({ ...quotaResource, namespace, name })) as StoredQuota);
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
        accounts.found(name, undefined);
      }
    });
    await Promise.all(read);
    return accounts.quotas.filter(({ metadata: { name = '' } }) => names.includes(name));
  }
}
