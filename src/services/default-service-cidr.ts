import type { Clock } from '../api/time/clock.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { formatTime, timeOf } from '../api/time/time.ts';
import { apply } from '../operations/apply.ts';
import { create } from '../operations/create.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import { modify } from '../operations/modify.ts';
import type { Operation } from '../operations/operation.ts';
import { objectKey } from '../registry/stored/store-kind.ts';
import { readable } from '../registry/stored/unreadable.ts';
import { sameTexts } from '../resources/core/service/allocation/service-needs.ts';
import type { ServiceCIDR } from '../schema/kubernetes/generated/types/networking-v1.ts';
import type { EventRecorder } from '../system/event-recorder.ts';
import { systemOperation, systemWrite } from '../system/system-operation.ts';

const name = 'kubernetes';
/** Field manager of its condition, and reporter of its events. */
export const cidrController = 'kubernetes-service-cidr-controller';

type StoredCidr = KubernetesObject & ServiceCIDR;

export interface DefaultServiceCidrOptions {
  readonly kinds: () => KindRegistry;
  readonly clock: Clock;
  /** One range, or one per address family. */
  readonly ranges: readonly string[];
  /** Records events about problems that people have to fix. */
  readonly events: Pick<EventRecorder, 'tell'>;
}

/** The ServiceCIDR of the configured ranges. */
export class DefaultServiceCidr {
  readonly #options: DefaultServiceCidrOptions;
  /** Reasons of the events recorded so far: once each is enough. */
  readonly #reported = new Set<string>();

  constructor(options: DefaultServiceCidrOptions) {
    this.#options = options;
  }

  /** Creates it if missing, adds a second family and sets the Ready condition; changes nothing else. */
  async sync(): Promise<void> {
    const { ranges } = this.#options;
    let cidr = (await this.#read()) ?? (await this.#create());
    const declared = cidr?.spec?.cidrs ?? [];
    if (cidr !== undefined && declared.length === 1 && ranges.length === 2 && declared[0] === ranges[0]) {
      cidr = await this.#extend(cidr);
    }
    if (cidr === undefined || cidr.metadata.deletionTimestamp !== undefined) return;
    if (!sameTexts(cidr.spec?.cidrs, ranges)) {
      const note = `The default ServiceCIDR ${shown(cidr.spec?.cidrs)} does not match the controller flag configurations ${shown(ranges)}`;
      return this.#warn(cidr, 'KubernetesDefaultServiceCIDRInconsistent', note);
    }
    const condition = (cidr.status?.conditions ?? []).find(({ type }) => type === 'Ready');
    if (condition === undefined || condition.status === 'Unknown') await this.#sayReady();
    if (condition?.status === 'False') {
      await this.#warn(cidr, condition.reason ?? '', `Configuration matches, but ${condition.message}`);
    }
  }

  async #read(): Promise<StoredCidr | undefined> {
    const { store } = this.#operation().scope;
    const { kv } = (await store?.storage.get(objectKey(store, '', name))) ?? {};
    if (store === undefined || kv === undefined) return undefined;
    return store.codec.decode(readable(store, kv)) as StoredCidr; // decoded as its kind
  }

  async #create(): Promise<StoredCidr | undefined> {
    const spec = { cidrs: [...this.#options.ranges] };
    const cidr = { kind: 'ServiceCIDR', apiVersion: 'networking.k8s.io/v1', metadata: { name }, spec };
    try {
      await create(this.#operation(), cidr, systemWrite);
    } catch (error) {
      // Created by another server of the store.
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
    return this.#read();
  }

  async #extend(cidr: StoredCidr): Promise<StoredCidr | undefined> {
    const { ranges } = this.#options;
    const spec = { cidrs: [...ranges] };
    try {
      await modify(this.#operation(), name, (old) => ({ ...(old as StoredCidr), spec }), systemWrite);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const note = `The default ServiceCIDR can not be upgraded from ${ranges[0]} to dual stack ${shown(ranges)} : ${why}`;
      await this.#warn(cidr, 'KubernetesDefaultServiceCIDRError', note);
      throw error;
    }
    return this.#read();
  }

  async #warn(regarding: StoredCidr, reason: string, note: string): Promise<void> {
    if (this.#reported.has(reason)) return;
    this.#reported.add(reason);
    await this.#options.events.tell([{ regarding, reason, action: 'Reconciling', note }]);
  }

  async #sayReady(): Promise<void> {
    const lastTransitionTime = formatTime(timeOf(this.#options.clock.now()));
    const message = 'Kubernetes default Service CIDR is ready';
    const condition = { type: 'Ready', status: 'True', message, lastTransitionTime };
    const patch = {
      kind: 'ServiceCIDR',
      apiVersion: 'networking.k8s.io/v1',
      metadata: { name },
      status: { conditions: [condition] },
    };
    const options = { dryRun: false, manager: cidrController, force: true, fieldValidation: 'Ignore' } as const;
    await apply(this.#operation('status'), name, { patch, strictErrors: [] }, options);
  }

  #operation(subresource = ''): Operation {
    const { kinds, clock } = this.#options;
    const now = kinds();
    const scope = now.scopeOf('networking.k8s.io', 'v1', 'servicecidrs');
    if (scope === undefined) throw new Error('ServiceCIDRs are not served');
    return systemOperation(scope, { kinds: now, clock, subresource });
  }
}

/** Formatted as Go prints a slice. */
function shown(texts: readonly string[] | undefined): string {
  return `[${(texts ?? []).join(' ')}]`;
}
