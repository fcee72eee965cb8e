import { isReason, lacksNamespace } from '../../api/errors/status.ts';
import type { Endpoint, EndpointPort } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { nodes } from '../core-collections.ts';
import { type FollowedObjects, keyOf, partsOfKey } from '../followed-objects.ts';
import type { StoredPod } from '../pods.ts';
import { ControllerEvents } from '../controller-events.ts';
import { NotYet } from '../work-queue.ts';
import { addressesOf, isReachable, type StoredService } from './pod-endpoints.ts';
import { ServicePods } from './service-pods.ts';
import { ServicePorts } from './service-ports.ts';
import { closeHints, applyHints, noHints } from './slice-hints.ts';
import {
  endpointOf,
  familiesOf,
  isManaged,
  isOwnedBy,
  listedPorts,
  newSlice,
  nextLabels,
  portsKey,
  type SliceFamily,
  serviceNameLabel,
  slices,
} from './slice-facts.ts';
import { type PortGroup, planGroup, type SlicePlan, type StoredSlice } from './slice-plan.ts';
import { TopologyHints } from './topology-hints.ts';
import { TriggerTimes, withTriggerTime } from './trigger-times.ts';
import { isNodeReady, type StoredNode, zoneLabel } from './zone-shares.ts';

/** So long the changes of others to slices are waited for. */
const foreignChangeMs = 1000;
const attempts = 16;
/** In place of the ports, for slices without a group. */
const foreign = 'foreign';

/** Maintains the EndpointSlices of services with selectors. */
export class EndpointSliceController implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #services: ServicePods;
  readonly #events: ControllerEvents;
  readonly #triggers = new TriggerTimes();
  readonly #hints = new TopologyHints();
  /** Services with pods on unknown nodes, by node. */
  readonly #waiting = new Map<string, Set<string>>();
  /** Not needed before a service selects pods. */
  #followed: { readonly nodes: FollowedObjects<StoredNode>; readonly slices: FollowedObjects<StoredSlice> } | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { client, clock, onError, config } = context;
    this.#loop = new ControlLoop(context, (key) => this.#work(key), {
      queue: 'endpoint_slice',
      attempts,
      firstDelayMs: foreignChangeMs,
    });
    this.#services = new ServicePods(this.#loop, config.endpoints.sliceBatchPeriodMs);
    this.#events = new ControllerEvents({ client, clock, onError, component: 'endpoint-slice-controller' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  #follow() {
    const followed = {
      nodes: this.#loop.follow(nodes, {
        keep: (node) => node as StoredNode, // decoded by its schema
        changed: ({ now, before, key }) => {
          if (now === undefined || before === undefined || isMoved(before, now)) this.#learnNodes();
          if (before === undefined) this.#wake(partsOfKey(key).name);
        },
      }),
      slices: this.#loop.follow(slices, {
        keep: (slice) => slice as StoredSlice, // decoded by its schema
        group: (slice) => (isManaged(slice) ? serviceKeyOf(slice) : undefined),
        changed: ({ now, before }) => this.#noticeForeign(now, before),
      }),
    };
    this.#followed = followed;
    return followed;
  }

  #learnNodes(): void {
    if (this.#followed === undefined) return;
    for (const key of this.#hints.setNodes(this.#followed.nodes.all())) this.#loop.queue.add(key);
  }

  #wake(node: string): void {
    for (const key of this.#waiting.get(node) ?? []) this.#loop.queue.add(key);
    this.#waiting.delete(node);
  }

  #noticeForeign(now: StoredSlice | undefined, before: StoredSlice | undefined): void {
    const nowManaged = now !== undefined && isManaged(now);
    const wasManaged = before !== undefined && isManaged(before);
    if (!nowManaged && !wasManaged) return;
    const isSame = nowManaged && wasManaged && serviceKeyOf(now) === serviceKeyOf(before);
    if (isSame && now.metadata.generation === before.metadata.generation && !isGoing(now)) return;
    for (const slice of [now, before]) {
      if (slice !== undefined) this.#loop.queue.addAfter(serviceKeyOf(slice), foreignChangeMs);
    }
  }

  async #work(key: string): Promise<void> {
    const { namespace, name } = partsOfKey(key);
    const service = this.#services.services.get(namespace, name);
    if (service === undefined) {
      this.#triggers.forget(key);
      return;
    }
    if (service.spec?.type === 'ExternalName' || service.spec?.selector === undefined) return;
    const followed = this.#followed ?? this.#follow();
    await Promise.all([this.#services.ready(), followed.nodes.ready, followed.slices.ready]);
    const pods = this.#services.of(service);
    const existing = followed.slices.in(key).filter((slice) => !isGoing(slice));
    const triggerMs = this.#triggers.next(key, service, pods);
    const faults = await this.#reconcile({ key, service, pods, existing, triggerMs });
    if (faults.length === 0) return;
    const message = `Error updating Endpoint Slices for Service ${key}: ${joined(faults)}`;
    await this.#events.tell(service, { type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message });
    throw new NotYet(message);
  }

  /** Returns the failures. */
  async #reconcile(look: Look): Promise<readonly string[]> {
    const faults: string[] = [];
    const families = familiesOf(look.service);
    for (const family of families) {
      const existing = look.existing.filter(({ addressType }) => addressType === family.type);
      faults.push(...(await this.#reconcileFamily({ ...look, existing }, family)));
    }
    for (const slice of look.existing) {
      if (families.some(({ type }) => type === slice.addressType)) continue;
      this.#hints.remove(look.key, slice.addressType ?? '');
      await this.#delete(slice);
    }
    return faults;
  }

  async #reconcileFamily(look: Look, family: SliceFamily): Promise<readonly string[]> {
    const { service, existing } = look;
    const { groups, faults } = this.#groupsOf(look, family);
    const plan = this.#planOf(service, existing, { groups, family });
    const unchanged = (): StoredSlice[] => {
      const changed = new Set([...plan.update, ...plan.delete].map(({ metadata }) => metadata.name));
      return existing.filter(({ metadata }) => !changed.has(metadata.name));
    };
    const { key } = look;
    const hinted = { key, addressType: family.type, plan, unchanged: unchanged() };
    const { annotations = {} } = service.metadata;
    const mode =
      annotations['service.kubernetes.io/topology-aware-hints'] ?? annotations['service.kubernetes.io/topology-mode'];
    const isAuto = mode === 'Auto' || mode === 'auto';
    const event = isAuto ? this.#hints.add(hinted) : this.#hints.remove(key, family.type);
    if (!isAuto) {
      const { trafficDistribution } = service.spec ?? {};
      const rule = isClose(trafficDistribution) ? closeHints(trafficDistribution) : noHints;
      applyHints(plan, hinted.unchanged, rule);
    }
    await this.#write(look, plan);
    if (event !== undefined) await this.#events.tell(service, event);
    return faults;
  }

  #groupsOf(
    { key, service, pods }: Look,
    family: SliceFamily,
  ): { readonly groups: ReadonlyMap<string, PortGroup>; readonly faults: readonly string[] } {
    const groups = new Map<string, { ports: readonly EndpointPort[]; endpoints: Endpoint[] }>();
    const faults: string[] = [];
    const onPods = new ServicePorts(service.spec?.ports ?? [], listedPorts);
    for (const pod of pods) {
      if (!isReachable(pod)) continue;
      const { ports, key: same } = onPods.of(pod);
      const group = groups.get(same) ?? { ports, endpoints: [] };
      groups.set(same, group);
      const nodeName = pod.spec?.nodeName ?? '';
      const node = this.#followed?.nodes.get('', nodeName);
      if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
        faults.push(`skipping Pod ${pod.metadata.name} for Service ${key}: Node ${nodeName} Not Found`);
        this.#waiting.set(nodeName, (this.#waiting.get(nodeName) ?? new Set()).add(key));
        continue;
      }
      if (addressesOf(pod, family.number).length > 0) group.endpoints.push(endpointOf(pod, { node, service, family }));
    }
    return { groups, faults };
  }

  #planOf(
    service: StoredService,
    existing: readonly StoredSlice[],
    { groups, family }: { readonly groups: ReadonlyMap<string, PortGroup>; readonly family: SliceFamily },
  ): SlicePlan {
    const plan: SlicePlan = { create: [], update: [], delete: [] };
    const { mostPerSlice: mostEndpoints } = this.#context.config.endpoints;
    const make = (ports: readonly EndpointPort[]): StoredSlice => newSlice(service, family, ports);
    const relabel = (slice: StoredSlice) => nextLabels(slice, service);
    const owned = Map.groupBy(existing, (slice) => (isOwnedBy(slice, service) ? portsKey(slice.ports ?? []) : foreign));
    for (const [key, group] of groups) {
      const part = planGroup(owned.get(key) ?? [], group, { make, relabel, mostEndpoints });
      plan.create.push(...part.create);
      plan.update.push(...part.update);
      plan.delete.push(...part.delete);
    }
    for (const [key, others] of owned) if (key === foreign || !groups.has(key)) plan.delete.push(...others);
    // A service always has a slice, if only an empty one.
    if (plan.delete.length < existing.length || plan.create.length > 0) return plan;
    const [only] = plan.delete;
    const isPlaceholder =
      plan.delete.length === 1 && only !== undefined && isOwnedBy(only, service) && isEmpty(only) && !relabel(only);
    if (isPlaceholder) plan.delete.length = 0;
    else plan.create.push(make([]));
    return plan;
  }

  /** Reuses slices to be deleted for slices to be created, if possible. */
  async #write({ service, triggerMs }: Look, plan: SlicePlan): Promise<void> {
    const { client } = this.#context;
    for (const slice of Array.from(plan.delete)) {
      const next = plan.create.at(-1);
      if (next === undefined) break;
      if (!isOwnedBy(slice, service)) continue;
      plan.create.pop();
      plan.delete.splice(plan.delete.indexOf(slice), 1);
      const { labels = {}, ownerReferences = [] } = next.metadata;
      plan.update.push({ ...next, metadata: { ...slice.metadata, annotations: {}, labels, ownerReferences } });
    }
    try {
      for (const slice of isGoing(service) ? [] : plan.create) {
        this.#followed?.slices.learn(await client.create(slices, withTriggerTime(slice, triggerMs)));
      }
    } catch (error) {
      if (lacksNamespace(error)) return;
      throw error;
    }
    for (const slice of plan.update) {
      this.#followed?.slices.learn(await client.update(slices, withTriggerTime(slice, triggerMs)));
    }
    for (const slice of plan.delete) await this.#delete(slice);
  }

  async #delete(slice: StoredSlice): Promise<void> {
    const { namespace = '', name = '' } = slice.metadata;
    try {
      await this.#context.client.delete({ ...slices, namespace, name });
      this.#followed?.slices.forget(slice);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

/** The findings of one sync of a service. */
interface Look {
  readonly key: string;
  readonly service: StoredService;
  readonly pods: readonly StoredPod[];
  readonly existing: readonly StoredSlice[];
  readonly triggerMs: number | undefined;
}

function serviceKeyOf({ metadata: { namespace = '', labels = {} } }: StoredSlice): string {
  return keyOf(namespace, labels[serviceNameLabel] ?? '');
}

function isGoing({ metadata }: StoredSlice | StoredService): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isEmpty({ endpoints = [], ports = [] }: StoredSlice): boolean {
  return endpoints.length === 0 && ports.length === 0;
}

function isClose(trafficDistribution: string | undefined): trafficDistribution is string {
  return ['PreferClose', 'PreferSameZone', 'PreferSameNode'].includes(trafficDistribution ?? '');
}

function isMoved(before: StoredNode, now: StoredNode): boolean {
  return (
    isNodeReady(before) !== isNodeReady(now) || before.metadata.labels?.[zoneLabel] !== now.metadata.labels?.[zoneLabel]
  );
}

/** The format in which the reference lists several errors. */
function joined(faults: readonly string[]): string {
  const each = [...new Set(faults)];
  return each.length === 1 ? each.join('') : `[${each.join(', ')}]`;
}
