import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import type { Client } from '../../../api/client/client.ts';
import type { Clock } from '../../../api/time/clock.ts';
import type { DelayedWrites } from '../../../api/scheduling/delayed-writes.ts';
import { soon, type Soon } from '../../../api/scheduling/soon.ts';
import { isReason } from '../../../api/errors/status.ts';
import { internalError } from '../../../api/errors/status-errors.ts';
import type { StoredObjects } from '../../../api/contracts/stored-objects.ts';
import type { StoreTenure } from '../../plugin-context.ts';
import type { AdmittedUsages } from './admitted-usages.ts';
import type { ChargedQuota, StoredQuota } from './charged-quota.ts';
import { countedQuotas } from './counted-usage.ts';
import { type DeviceClasses, deviceClasses, noClasses } from './device-classes.ts';
import type { Evaluator, UsageContext } from './evaluator.ts';
import { NamespaceQueues } from './namespace-queues.ts';
import { QuotaAccounts } from './quota-accounts.ts';
import type { LimitedResource } from './quota-config.ts';
import { chargedQuotas, type QuotaCheck, requestUsage } from './request-check.ts';

export interface LedgerOptions {
  readonly stored: StoredObjects;
  readonly client: () => Client;
  readonly clock: Clock;
  readonly isOn: (gate: string) => boolean;
  readonly limited: readonly LimitedResource[];
  readonly tenure: StoreTenure;
  readonly delayed: DelayedWrites;
  readonly admitted: AdmittedUsages;
  readonly onError: (error: unknown) => void;
}

/** A request that waits to be charged. */
interface Charge {
  readonly check: QuotaCheck;
  readonly settle: PromiseWithResolvers<void>;
}

/** All that is due is to be written. */
interface Flush {
  readonly settle: PromiseWithResolvers<void>;
}

const quotaCollection = { group: '', version: 'v1', plural: 'resourcequotas' };
const quotaResource = { group: '', version: 'v1', resource: 'resourcequotas' };
/** How often what other servers write at the same time may come before us; it is rarely more than once. */
const maxAttempts = 100;
const patienceMs = 10_000;
/** After a write of a quota, further charges are written together so much later. */
const delayMs = 1000;
const retryMs = 1000;
/** Namespaces whose charges are remembered. */
const maxAccounts = 1000;

/**
 * Charges quotas with requests. Concurrent requests of one namespace are charged together, with one status update per
 * quota. A conflicting update is retried: the quota is read again and the requests are checked against it. Threads of
 * one process take turns, so that a fast one does not come before a slow one each time.
 *
 * A server that has its store alone knows what it has charged. It writes the first charge before the request goes on,
 * and those of the next moments together after them; whoever reads a quota has them written first. When the server is
 * killed in such a moment, the next one counts the objects before it charges.
 */
export class QuotaLedger {
  readonly #options: LedgerOptions;
  readonly #queues: NamespaceQueues<Charge | Flush>;
  readonly #accounts = new Map<string, QuotaAccounts>();
  /** Timers of namespaces with quotas that have to be written. */
  readonly #due = new Map<string, NodeJS.Timeout>();
  /** Namespaces whose objects have been counted, if they have to be. */
  readonly #counted = new Set<string>();

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#queues = new NamespaceQueues((namespace, batch) => this.#settle(namespace, batch));
    options.delayed.add((namespace) => this.#flushDue(namespace));
  }

  /** Fails with a StatusError when a quota would be exceeded. */
  charge(attributes: AdmissionAttributes, evaluator: Evaluator): Soon<void> {
    const { stored, limited } = this.#options;
    return soon(stored.list(quotaCollection, attributes.namespace), (known) => {
      if (known.length === 0 && limited.length === 0) return undefined;
      return soon(this.#classesFor(evaluator), (classes) => {
        const context = this.#context(classes);
        return soon(requestUsage(attributes, evaluator, context), (usage) => {
          const check = { attributes, evaluator, context, usage, limited };
          // The quotas of the watch cache are stored under their schema.
          if (this.#chargeAtOnce(check, known as readonly StoredQuota[])) return undefined;
          return this.#enqueue(check);
        });
      });
    });
  }

  /** False when the charge has to wait: for others, or until it is written. */
  #chargeAtOnce(check: QuotaCheck, known: readonly StoredQuota[]): boolean {
    const { namespace, dryRun } = check.attributes;
    if (this.#queues.isBusy(namespace) || this.#hasToCount(namespace)) return false;
    const accounts = this.#refreshed(namespace, known);
    const { quotas } = accounts;
    const changed = chargedQuotas(quotas, check).filter((quota, index) => quota !== quotas[index]);
    if (dryRun || changed.length === 0) return true;
    if (!this.#mayAllWait(accounts, changed)) return false;
    this.#chargeLater(accounts, changed, namespace);
    this.#noteAdmitted(check);
    return true;
  }

  async #enqueue(check: QuotaCheck): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.#queues.add(check.attributes.namespace, { check, settle });
    const timeout = setTimeout(() => settle.reject(internalError('resource quota evaluation timed out')), patienceMs);
    timeout.unref();
    await settle.promise.finally(() => clearTimeout(timeout));
    this.#noteAdmitted(check);
  }

  /** What the controller that counts objects will see soon. */
  #noteAdmitted({ attributes: { operation, dryRun, object }, evaluator, usage }: QuotaCheck): void {
    if (operation !== 'CREATE' || dryRun || evaluator.constant !== undefined) return;
    this.#options.admitted.note(object?.metadata.uid ?? '', usage.after);
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
    const charges = batch.filter((each) => 'check' in each);
    const flushes = batch.filter((each) => !('check' in each));
    const isFlush = flushes.length > 0;
    try {
      using _turn = await this.#options.tenure.turn(`quotas of ${namespace}`);
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
    const { stored, client } = this.#options;
    const accounts = this.#refreshed(
      namespace,
      (await stored.list(quotaCollection, namespace)) as readonly StoredQuota[], // stored under their schema
    );
    if (this.#hasToCount(namespace)) {
      const context = this.#context(await deviceClasses(stored));
      accounts.charge(await countedQuotas(accounts.quotas, { resources: client().resources(), context }));
      this.#counted.add(namespace);
    }
    return accounts;
  }

  #refreshed(namespace: string, known: readonly StoredQuota[]): QuotaAccounts {
    const accounts = this.#accounts.get(namespace) ?? new QuotaAccounts();
    // The map is in the order of use.
    this.#accounts.delete(namespace);
    if (known.length > 0) this.#accounts.set(namespace, accounts);
    accounts.refresh(known);
    if (this.#accounts.size > maxAccounts) this.#forgetOldest(namespace);
    return accounts;
  }

  /** Nobody says when a namespace is gone; what its quotas hold has been stored long ago. */
  #forgetOldest(used: string): void {
    for (const namespace of this.#accounts.keys()) {
      if (namespace === used || this.#due.has(namespace) || this.#queues.isBusy(namespace)) continue;
      this.#accounts.delete(namespace);
      return;
    }
  }

  /** Charges may have been lost with the server that had the store before. */
  #hasToCount(namespace: string): boolean {
    return this.#options.tenure.wasCutOff && !this.#counted.has(namespace);
  }

  /** Evaluates all, writes what changes, and evaluates those again whose quotas others have written. */
  async #settleAgainst(
    accounts: QuotaAccounts,
    batch: readonly Charge[],
    { isFlush, namespace }: { readonly isFlush: boolean; readonly namespace: string },
  ): Promise<void> {
    let [left, waiting] = [accounts.quotas, batch];
    for (let attempt = 1; ; attempt += 1) {
      const { charged, pending } = this.#checkQuotas(left, waiting);
      const changed = charged.filter((quota, index) => quota !== left[index]);
      const mayWait = !isFlush && this.#mayAllWait(accounts, changed);
      if (mayWait) this.#chargeLater(accounts, changed, namespace);
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

  #mayAllWait(accounts: QuotaAccounts, quotas: readonly ChargedQuota[]): boolean {
    const { tenure, clock } = this.#options;
    const sinceMs = clock.now() - delayMs;
    return !tenure.isShared() && quotas.every((quota) => sinceMs < accounts.writtenMs(quota));
  }

  #chargeLater(accounts: QuotaAccounts, changed: readonly ChargedQuota[], namespace: string): void {
    accounts.charge(changed);
    if (changed.length > 0) this.#writeLater(namespace, delayMs);
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
  #checkQuotas(quotas: readonly ChargedQuota[], batch: readonly Charge[]) {
    let charged = quotas;
    const pending: Charge[] = [];
    for (const charge of batch) {
      const { check, settle } = charge;
      try {
        const next = chargedQuotas(charged, check);
        const changes = next !== charged && next.some((quota, index) => quota !== charged[index]);
        if (check.attributes.dryRun || !changes) settle.resolve();
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

  #context(classes: DeviceClasses): UsageContext {
    const { stored, isOn, clock } = this.#options;
    return { stored, isOn, nowMs: clock.now(), classes };
  }

  #classesFor({ collection }: Evaluator): Soon<DeviceClasses> {
    return collection.plural === 'resourceclaims' ? deviceClasses(this.#options.stored) : noClasses;
  }

  async #writeAll(accounts: QuotaAccounts, quotas: readonly ChargedQuota[]) {
    const { client, clock } = this.#options;
    const failed: ChargedQuota[] = [];
    let failure: unknown;
    for (const quota of quotas) {
      try {
        const written = await client().update(quotaResource, quota.object, 'status');
        accounts.written(written as StoredQuota, clock.now()); // a quota, as it was written
      } catch (error) {
        failed.push(quota);
        failure = error;
      }
    }
    return { failed, failure };
  }

  /** From the store itself; those that are gone count no more. */
  async #readAgain(accounts: QuotaAccounts, quotas: readonly ChargedQuota[]): Promise<readonly ChargedQuota[]> {
    const names = quotas.map(({ name }) => name);
    const read = quotas.map(async ({ name, stored }) => {
      const { namespace = '' } = stored.metadata;
      try {
        accounts.found(name, (await this.#options.client().get({ ...quotaResource, namespace, name })) as StoredQuota);
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
        accounts.found(name, undefined);
      }
    });
    await Promise.all(read);
    return accounts.quotas.filter(({ name }) => names.includes(name));
  }
}
