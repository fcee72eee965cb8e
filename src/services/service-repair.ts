import { Backoff } from '../api/scheduling/backoff.ts';
import { pause } from '../api/scheduling/pause.ts';
import type { Clock } from '../api/time/clock.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import {
  type AddressProblem,
  findAddressProblems,
  type Mending,
  type StoredAddress,
} from '../resources/core/service/allocation/address-repair.ts';
import { addressesOf } from '../resources/core/service/allocation/cluster-ips.ts';
import type { PortFinding } from '../resources/core/service/allocation/port-repair.ts';
import { formatPortRange, type NodePortRange } from '../resources/core/service/allocation/port-bitmap.ts';
import type { StoredPorts } from '../resources/core/service/allocation/port-register.ts';
import type { Service } from '../resources/core/service/allocation/service-needs.ts';
import { EventRecorder, type Warning } from '../system/event-recorder.ts';
import { type StoreKind, objectKey } from '../registry/stored/store-kind.ts';
import type { ResourceScopes } from '../scopes/resource-scopes.ts';
import type { RepairMetrics } from './service-metrics.ts';
import type { ServiceAddresses } from './service-addresses.ts';
import { firstChange } from '../scopes/first-work.ts';
import { allAddresses, allServices, ServiceFollower } from './service-follower.ts';
import { storedList } from './stored-list.ts';

export interface ServiceRepairOptions {
  readonly addresses: ServiceAddresses;
  readonly ports: StoredPorts;
  readonly metrics: RepairMetrics;
  readonly scopes: ResourceScopes;
  readonly clock: Clock;
  readonly portRange: NodePortRange;
  readonly onError: (error: unknown) => void;
}

/** How often it runs if nothing calls for it earlier. */
const intervalMs = 180_000;

/** The minimum interval, however much there is to check. */
const shortestIntervalMs = 2_000;

/** Reconciles services with their allocations: at the start, every few minutes, and on detected inconsistencies. */
export class ServiceRepair implements AsyncDisposable {
  readonly #options: ServiceRepairOptions;
  readonly #stop = new AbortController();
  readonly #addressEvents: EventRecorder;
  readonly #portEvents: EventRecorder;
  readonly #firstLook = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  #following: Promise<void> | undefined;
  #follower: ServiceFollower | undefined;
  #sleeping: AbortController | undefined;
  #isDue = false;

  constructor(options: ServiceRepairOptions) {
    this.#options = options;
    const { clock, scopes } = options;
    const recorder = (controller: string): EventRecorder =>
      new EventRecorder({ kinds: () => scopes.now, clock, controller, onError: options.onError });
    this.#addressEvents = recorder('ipallocator-repair-controller');
    this.#portEvents = recorder('portallocator-repair-controller');
    this.#running = this.#run();
  }

  /** Resolves after the first complete pass. */
  get ready(): Promise<void> {
    return this.#firstLook.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#sleeping?.abort();
    await this.#running;
    await this.#following;
    await this.#follower?.[Symbol.asyncDispose]();
  }

  async #run(): Promise<void> {
    const backoff = new Backoff();
    while (!this.#stop.signal.aborted) {
      try {
        this.#isDue = false;
        const revision = this.#following === undefined ? await this.#revision() : 0;
        const lookAgainMs = (await this.#look()) ?? intervalMs;
        backoff.startOver();
        this.#firstLook.resolve();
        this.#following ??= this.#follow(revision);
        await this.#sleep(shortestIntervalMs);
        if (!this.#isDue) await this.#sleep(Math.min(intervalMs, lookAgainMs), 'until due');
      } catch (error) {
        if (this.#stop.signal.aborted) break;
        this.#options.onError(error);
        await this.#sleep(backoff.delayMs());
      }
    }
    // Release those who wait for a pass that will not happen.
    this.#firstLook.resolve();
  }

  /** Nothing is followed, and kept in memory for that, until something has changed since the first check. */
  async #follow(afterRevision: number): Promise<void> {
    const { scopes, onError } = this.#options;
    const { signal } = this.#stop;
    await firstChange(this.#stores(), { afterRevision, signal });
    if (signal.aborted) return;
    this.#follower = new ServiceFollower({ scopes, onError, notice: () => this.#ask() });
    this.#ask();
  }

  async #revision(): Promise<number> {
    return (await this.#stores()[0]?.storage.currentRevision()) ?? 0;
  }

  #stores(): readonly StoreKind[] {
    const { now } = this.#options.scopes;
    return [allServices, allAddresses].flatMap(
      ({ group, version, plural }) => now.scopeOf(group, version, plural)?.store ?? [],
    );
  }

  #ask(): void {
    this.#isDue = true;
    this.#sleeping?.abort();
  }

  async #sleep(ms: number, until?: 'until due'): Promise<void> {
    const sleeping = new AbortController();
    if (until !== undefined) this.#sleeping = sleeping;
    const signal = AbortSignal.any([this.#stop.signal, sleeping.signal]);
    await pause(ms, signal);
    this.#sleeping = undefined;
  }

  /** Returns when the next pass is due, if early. */
  async #look(): Promise<number | undefined> {
    const { portRange } = this.#options;
    const [lookAgainMs, found] = await Promise.all([this.#lookAtAddresses(), this.#lookAtPorts()]);
    await this.#portEvents.tell(found.flatMap((finding) => portWarning(finding, portRange)));
    return lookAgainMs;
  }

  async #lookAtPorts(): Promise<readonly PortFinding[]> {
    const { ports, metrics } = this.#options;
    try {
      const findings = await ports.repair();
      metrics.found(findings);
      return findings;
    } catch (error) {
      metrics.failed();
      throw error;
    }
  }

  async #lookAtAddresses(): Promise<number | undefined> {
    const { addresses, scopes, clock } = this.#options;
    const ranges = await addresses.ranges();
    // Addresses first: those of services created meanwhile then do not look orphaned.
    const stored = await storedList(scopes, allAddresses);
    const services = await storedList(scopes, allServices);
    const { problems, lookAgainMs } = findAddressProblems({
      // Listed by kind.
      services: services.objects as readonly Service[],
      addresses: stored.objects as readonly StoredAddress[],
      unreadable: { services: services.unreadable, addresses: stored.unreadable },
      isDeclared: (address) => ranges.some(({ range }) => range.includes(address)),
      nowMs: clock.now(),
    });
    const real = [];
    for (const problem of problems) if (await this.#mend(problem)) real.push(problem);
    await this.#addressEvents.tell(real.flatMap(({ event }) => event ?? []));
    return lookAgainMs;
  }

  /** False if the problem no longer exists. */
  async #mend({ mending }: AddressProblem): Promise<boolean> {
    if (mending === undefined) return true;
    const { addresses } = this.#options;
    if (mending.how === 'remove') await addresses.remove(mending.address);
    else {
      if (!(await this.#stillHas(mending))) return false;
      if (mending.how === 'regive') await addresses.remove(mending.address);
      return addresses.claim(mending.address, mending.service);
    }
    return true;
  }

  /** The service may have been deleted since, and its address released. */
  async #stillHas({ address, service }: Exclude<Mending, { readonly how: 'remove' }>): Promise<boolean> {
    const store = this.#options.scopes.now.scopeOf('', 'v1', 'services')?.store;
    const { namespace = '', name = '' } = service.metadata;
    const { kv } = (await store?.storage.get(objectKey(store, namespace, name))) ?? {};
    if (store === undefined || kv === undefined || kv.unreadable !== undefined) return false;
    const { spec = {} } = store.codec.decode(kv) as KubernetesObject & Service; // decoded as its kind
    return addressesOf(spec).includes(address);
  }
}

/** The Event about a port; leaks get none. */
function portWarning({ problem, port, service }: PortFinding, range: NodePortRange): Warning[] {
  if (service === undefined || problem === 'leak') return [];
  const [reason, note] = {
    repair: ['PortNotAllocated', `Port ${port} is not allocated; repairing`],
    duplicate: ['PortAlreadyAllocated', `Port ${port} was assigned to multiple services; please recreate service`],
    outOfRange: [
      'PortOutOfRange',
      `Port ${port} is not within the port range ${formatPortRange(range)}; please recreate service`,
    ],
  }[problem] as [string, string];
  return [{ regarding: service, reason, action: 'PortAllocation', note }];
}
