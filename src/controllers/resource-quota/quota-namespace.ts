import type { ClientResource } from '../../api/client/client.ts';
import { isReason } from '../../api/errors/status.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { type DeviceClasses, deviceClasses, noClasses } from '../../admission/plugins/resource-quota/device-classes.ts';
import type { UsageContext } from '../../admission/plugins/resource-quota/evaluator.ts';
import { evaluatorOf } from '../../admission/plugins/resource-quota/evaluators.ts';
import { isExtendedRequest } from '../../admission/plugins/resource-quota/pod-evaluator.ts';
import { sameAmounts } from '../../admission/plugins/resource-quota/quota-amounts.ts';
import type { StoredQuota } from '../../admission/plugins/resource-quota/charged-quota.ts';
import { type Amounts, amountsOf } from '../../admission/plugins/parts/pod-amounts.ts';
import type { ControllerContext } from '../controller-context.ts';
import { QuotaContent } from './quota-content.ts';
import { type Release, usageUnder, withoutReleased } from './usage-under.ts';

const quotaResource = { group: '', version: 'v1', resource: 'resourcequotas' };
/** A charged object may not be stored yet, so objects are only counted when a quota has been quiet for this long. */
const quietMs = 2000;
/** Charges of requests that failed later are found by a count after this. */
const recountMs = 10_000;
const retryMs = 1000;
const afterChargeMs = 100;

interface Known {
  readonly quota: StoredQuota;
  readonly noticedMs: number;
  /** Changes of objects that `status.used` does not reflect yet. */
  readonly releases: Release[];
}

export interface QuotaNamespaceOptions extends ControllerContext {
  readonly namespace: string;
  readonly stored: StoredObjects;
}

/** Keeps the status of the quotas of one namespace. */
export class QuotaNamespace implements AsyncDisposable {
  readonly #options: QuotaNamespaceOptions;
  readonly #quotas = new Map<string, Known>();
  readonly #contents = new Map<string, QuotaContent>();
  #classes: DeviceClasses = noClasses;
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
    const known = this.#quotas.get(name);
    const releases = known?.releases ?? [];
    this.#quotas.set(name, { quota, noticedMs: this.#options.clock.now(), releases });
    const isNew = !sameAmounts(amountsOf(quota.spec?.hard), amountsOf(quota.status?.hard));
    // A write that was refused because of this change is tried again.
    this.recount(isNew || known === undefined || releases.length > 0 ? 0 : recountMs);
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
      .then(() => this.#options.queues.of('resourcequota_primary').run(() => this.#pass()))
      .catch((error: unknown) => {
        this.#options.onError(error);
        this.recount(retryMs);
      });
  }

  async #pass(): Promise<void> {
    const known = [...this.#quotas.values()];
    await this.#follow(new Set(known.flatMap(({ quota }) => Object.keys(quota.spec?.hard ?? {}))));
    for (const each of known) {
      if (this.#isStopped) return;
      const waitMs = this.#waitFor(each);
      if (waitMs > 0) this.recount(waitMs);
      if (waitMs > 0 && each.releases.length === 0) continue;
      // What is counted or released may have just been charged: then the quota changes, and the change is awaited.
      const charging = this.#options.delayed.flush(this.#options.namespace);
      if (charging !== undefined) {
        await charging;
        this.recount(afterChargeMs);
        return;
      }
      await (waitMs > 0 ? this.#release(each) : this.#count(each));
    }
  }

  /** How long until objects may be counted. */
  #waitFor({ quota, noticedMs }: Known): number {
    return quota.status?.hard === undefined ? 0 : noticedMs + quietMs - this.#options.clock.now();
  }

  async #count(known: Known): Promise<void> {
    const { quota, releases } = known;
    const hard = amountsOf(quota.spec?.hard);
    const before = amountsOf(quota.status?.used);
    const reflected = releases.length;
    const counted = await usageUnder(quota, this.#contents.values(), this.#context());
    const used = new Map([...before, ...counted].filter(([name]) => hard.has(name)));
    const isReported =
      quota.status?.used !== undefined && sameAmounts(amountsOf(quota.status.hard), hard) && sameAmounts(before, used);
    if (isReported || (await this.#write(known, used))) releases.splice(0, reflected);
  }

  /** Subtracts what objects use no longer, whatever has been charged meanwhile. */
  async #release(known: Known): Promise<void> {
    const { quota, releases } = known;
    const before = amountsOf(quota.status?.used);
    const reflected = releases.length;
    const used = withoutReleased(quota, releases, this.#context());
    if (sameAmounts(before, used) || (await this.#write(known, used))) releases.splice(0, reflected);
  }

  /** False when the quota has changed meanwhile, or is gone. */
  async #write({ quota }: Known, used: Amounts): Promise<boolean> {
    const { metadata, spec } = quota;
    if (this.#quotas.get(metadata.name ?? '')?.quota !== quota) return false;
    try {
      const status = { hard: { ...spec?.hard }, used: Object.fromEntries(used) };
      await this.#options.client.update(quotaResource, { ...quota, status }, 'status');
      return true;
    } catch (error) {
      if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error;
      return false;
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
    const { shared, admitted, onError, namespace } = this.#options;
    const { group, version, resource: plural } = resource;
    return new QuotaContent({
      shared,
      admitted,
      onError,
      evaluator,
      collection: {
        group,
        version,
        resource: plural,
        namespace,
      },
      context: () => this.#context(),
      changed: (before, after) => {
        for (const { releases } of this.#quotas.values())
          releases.push({
            evaluator,
            before,
            after,
          });
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
