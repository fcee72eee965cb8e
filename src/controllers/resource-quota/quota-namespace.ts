import type { ClientResource } from '../../api/client.ts';
import { isReason } from '../../api/status.ts';
import type { StoredObjects } from '../../api/stored-objects.ts';
import { type DeviceClasses, deviceClasses, noClasses } from '../../admission/resource-quota/device-classes.ts';
import type { UsageContext } from '../../admission/resource-quota/evaluator.ts';
import { evaluatorOf } from '../../admission/resource-quota/evaluators.ts';
import { isExtendedRequest } from '../../admission/resource-quota/pod-evaluator.ts';
import { sameAmounts } from '../../admission/resource-quota/quota-amounts.ts';
import type { StoredQuota } from '../../admission/resource-quota/request-check.ts';
import { amountsOf } from '../../admission/pod-amounts.ts';
import type { ControllerContext } from '../controller-context.ts';
import { QuotaContent } from './quota-content.ts';
import { usageUnder } from './usage-under.ts';

const quotaResource = { group: '', version: 'v1', resource: 'resourcequotas' };
/** What is charged may not be stored yet: a quota is recounted when nobody has charged it for a while. */
const settleMs = 100;
/** Whoever waits for what has been released does not wait longer for that. */
const longestSettleMs = 500;
/** A charge for what was not made in the end is found after this. */
const recountMs = 10_000;
const retryMs = 1000;

interface Noticed {
  readonly quota: StoredQuota;
  readonly atMs: number;
}

export interface QuotaNamespaceOptions extends ControllerContext {
  readonly namespace: string;
  readonly stored: StoredObjects;
}

/** Keeps the status of the quotas of one namespace. */
export class QuotaNamespace implements AsyncDisposable {
  readonly #options: QuotaNamespaceOptions;
  readonly #quotas = new Map<string, Noticed>();
  readonly #contents = new Map<string, QuotaContent>();
  #classes: DeviceClasses = noClasses;
  /** Since when something that is used no more waits to be told. */
  #releasedMs: number | undefined;
  #timer: { readonly atMs: number; readonly handle: NodeJS.Timeout } | undefined;
  #working = Promise.resolve();
  #isStopped = false;
  /** Some names are counted by nothing that is served. */
  hasUncounted = false;

  constructor(options: QuotaNamespaceOptions) {
    this.#options = options;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer?.handle);
    for (const content of this.#contents.values()) content[Symbol.dispose]();
    await this.#working;
  }

  get isEmpty(): boolean {
    return this.#quotas.size === 0;
  }

  set(quota: StoredQuota): void {
    const { name = '' } = quota.metadata;
    this.#quotas.set(name, { quota, atMs: this.#options.clock.now() });
    this.recount(sameAmounts(amountsOf(quota.spec?.hard), amountsOf(quota.status?.hard)) ? recountMs : 0);
  }

  remove(name: string): void {
    this.#quotas.delete(name);
  }

  /** Counts what is used anew, at the latest after `delayMs`. */
  recount(delayMs: number): void {
    const atMs = this.#options.clock.now() + delayMs;
    if (this.#isStopped || (this.#timer !== undefined && this.#timer.atMs <= atMs)) return;
    clearTimeout(this.#timer?.handle);
    this.#timer = { atMs, handle: setTimeout(() => this.#begin(), delayMs).unref() };
  }

  #begin(): void {
    this.#timer = undefined;
    this.#working = this.#working
      .then(() => this.#pass())
      .catch((error: unknown) => {
        this.#options.onError(error);
        this.recount(retryMs);
      });
  }

  async #pass(): Promise<void> {
    const known = [...this.#quotas.values()];
    await this.#follow(new Set(known.flatMap(({ quota }) => Object.keys(quota.spec?.hard ?? {}))));
    const releasedMs = this.#releasedMs;
    this.#releasedMs = undefined;
    for (const { quota, atMs } of known) {
      if (this.#isStopped) return;
      const waitMs = this.#waitFor(quota, atMs, releasedMs);
      if (waitMs > 0) {
        this.#releasedMs ??= releasedMs;
        this.recount(waitMs);
      } else await this.#update(quota);
    }
  }

  /** How long to let those who charge a quota come to their end. */
  #waitFor({ status }: StoredQuota, changedMs: number, releasedMs: number | undefined): number {
    if (status?.hard === undefined) return 0;
    const now = this.#options.clock.now();
    const quietMs = changedMs + settleMs - now;
    return releasedMs === undefined ? quietMs : Math.min(quietMs, releasedMs + longestSettleMs - now);
  }

  async #update(quota: StoredQuota): Promise<void> {
    const { metadata, spec = {}, status } = quota;
    const hard = amountsOf(spec.hard);
    const before = amountsOf(status?.used);
    const counted = await usageUnder(quota, this.#contents.values(), this.#context());
    const used = new Map([...before, ...counted].filter(([name]) => hard.has(name)));
    const isTold = status?.used !== undefined && sameAmounts(amountsOf(status.hard), hard) && sameAmounts(before, used);
    if (isTold || this.#quotas.get(metadata.name ?? '')?.quota !== quota) return;
    try {
      const next = { ...quota, status: { hard: { ...spec.hard }, used: Object.fromEntries(used) } };
      await this.#options.client.update(quotaResource, next, 'status');
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict')) throw error;
      this.recount(settleMs);
    }
  }

  /** Follows the kinds that count under these names, and no others. */
  async #follow(names: ReadonlySet<string>): Promise<void> {
    const { shared, stored } = this.#options;
    this.#classes = await deviceClasses([...names].some(isExtendedRequest) ? stored : undefined);
    const context = this.#context();
    const counted = new Set<string>();
    const wanted = new Set<string>();
    for (const resource of shared.resources().filter(isQuotable)) {
      const evaluator = evaluatorOf({ ...resource, plural: resource.resource });
      const own = [...names].filter((name) => evaluator?.counts(name, context) === true);
      if (evaluator === undefined || own.length === 0) continue;
      for (const name of own) counted.add(name);
      const key = `${resource.group}/${resource.resource}`;
      wanted.add(key);
      if (!this.#contents.has(key)) this.#contents.set(key, this.#content(resource, evaluator));
    }
    for (const [key, content] of this.#contents) {
      if (wanted.has(key)) continue;
      content[Symbol.dispose]();
      this.#contents.delete(key);
    }
    this.hasUncounted = [...names].some((name) => name.startsWith('count/') && !counted.has(name));
  }

  #content(resource: ClientResource, evaluator: QuotaContent['evaluator']): QuotaContent {
    const { shared, onError, namespace, clock } = this.#options;
    const { group, version, resource: plural } = resource;
    return new QuotaContent({
      ...{ shared, onError, evaluator },
      collection: { group, version, resource: plural, namespace },
      context: () => this.#context(),
      released: () => {
        this.#releasedMs ??= clock.now();
        this.recount(0);
      },
      gone: () => this.recount(0),
    });
  }

  #context(): UsageContext {
    const { stored, featureGates, clock } = this.#options;
    const isOn = (gate: string): boolean => featureGates.get(gate) === true;
    return { stored, isOn, nowMs: clock.now(), classes: this.#classes };
  }
}

const neededVerbs = ['create', 'list', 'watch', 'delete'];

function isQuotable({ namespaced, verbs }: ClientResource): boolean {
  return namespaced && neededVerbs.every((verb) => verbs.includes(verb));
}
