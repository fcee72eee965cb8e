import { isDeepStrictEqual } from 'node:util';
import { isIP } from 'node:net';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { isReason, lacksNamespace } from '../../api/errors/status.ts';
import type { EndpointAddress, Endpoints, EndpointSubset } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { Endpoint, EndpointPort } from '../../schema/kubernetes/generated/types/discovery-v1.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { endpoints, services } from '../core-collections.ts';
import { type FollowedObjects, keyOf, partsOfKey } from '../followed-objects.ts';
import { ControllerEvents } from '../controller-events.ts';
import { packSubsets } from './endpoint-subsets.ts';
import { type StoredService, triggerTimeAnnotation } from './pod-endpoints.ts';
import { managedByLabel, portsKey, serviceNameLabel, sliceFor, slices, sortedPorts } from './slice-facts.ts';
import { identityOf, isSameEndpoint, type SlicePlan, type StoredSlice } from './slice-plan.ts';

type StoredEndpoints = KubernetesObject & Endpoints;

const controllerName = 'endpointslicemirroring-controller.k8s.io';
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
const appliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
const attempts = 16;

/** Addresses of one family with the same ports: one slice. */
interface Mirrored {
  readonly addressType: 'IPv4' | 'IPv6';
  readonly ports: readonly EndpointPort[];
  /** By identity: of several the last counts. */
  readonly endpoints: Map<string, Endpoint>;
}

/** Copies Endpoints that were written by hand into EndpointSlices. */
export class EndpointSliceMirroringController implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #events: ControllerEvents;
  readonly #services: FollowedObjects<StoredService>;
  readonly #endpoints: FollowedObjects<StoredEndpoints>;
  /** Not followed before there are Endpoints to mirror: those of the server itself are not. */
  #slices: FollowedObjects<StoredSlice> | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { client, clock, onError, config } = context;
    this.#loop = new ControlLoop(context, (key) => this.#work(key), { queue: 'endpoint_slice_mirroring', attempts });
    this.#events = new ControllerEvents({ client, clock, onError, component: 'endpoint-slice-mirroring-controller' });
    this.#services = this.#loop.follow(services, {
      keep: (service) => service as StoredService, // decoded by its schema
      changed: ({ now, before, key }) => {
        if (hasSelector(now) !== hasSelector(before) || now === undefined || before === undefined)
          this.#loop.queue.add(key);
      },
    });
    this.#endpoints = this.#loop.follow(endpoints, {
      keep: (object) => object as StoredEndpoints, // decoded by its schema
      changed: ({ key }) => this.#loop.queue.addAfter(key, config.endpoints.mirrorBatchPeriodMs),
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  #follow(): FollowedObjects<StoredSlice> {
    return this.#loop.follow(slices, {
      keep: (object) => {
        const slice = object as StoredSlice; // decoded by its schema
        return slice.metadata.labels?.[managedByLabel] === controllerName ? slice : undefined;
      },
      group: serviceKeyOf,
      changed: ({ now, before }) => {
        for (const slice of [now, before]) if (slice !== undefined) this.#loop.queue.add(serviceKeyOf(slice));
      },
    });
  }

  async #work(key: string): Promise<void> {
    const { namespace, name } = partsOfKey(key);
    const found = this.#endpoints.get(namespace, name);
    const service = this.#services.get(namespace, name);
    const isMirrored = found !== undefined && mayBeMirrored(found) && service !== undefined && !hasSelector(service);
    if (!isMirrored && this.#slices === undefined) return;
    this.#slices ??= this.#follow();
    await this.#slices.ready;
    const existing = this.#slices.in(key).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const plan = isMirrored ? this.#planOf(found, existing, await this.#mirrored(found)) : undefined;
    await this.#write(plan ?? { create: [], update: [], delete: existing });
  }

  /** The slices to be; reports addresses that are left out. */
  async #mirrored(object: StoredEndpoints): Promise<ReadonlyMap<string, Mirrored>> {
    const most = this.#context.config.endpoints.mostPerMirroredSubset;
    const { all, invalid, skipped } = mirroredOf(object, most);
    const warn = (reason: string, message: string) => this.#events.tell(object, { type: 'Warning', reason, message });
    if (invalid > 0)
      await warn('InvalidIPAddress', `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`);
    const limit = `A max of ${most} addresses can be mirrored to EndpointSlices per Endpoints subset.`;
    if (skipped > 0) await warn('TooManyAddressesToMirror', `${limit} ${skipped + invalid} addresses were skipped`);
    return all;
  }

  #planOf(object: StoredEndpoints, existing: readonly StoredSlice[], wanted: ReadonlyMap<string, Mirrored>): SlicePlan {
    const plan: SlicePlan = { create: [], update: [], delete: [] };
    const known = Map.groupBy(existing, (slice) => mirrorKey(slice.addressType ?? '', slice.ports ?? []));
    for (const [key, mirrored] of wanted) {
      const [first, ...others] = known.get(key) ?? [];
      known.delete(key);
      plan.delete.push(...others);
      const slice = sliceOf(object, mirrored);
      if (first === undefined) plan.create.push(slice);
      else if (!isSettled(first, slice)) plan.update.push(replaced(first, slice));
    }
    plan.delete.push(...[...known.values()].flat());
    // A slice that would be deleted becomes one that would be created.
    for (const slice of Array.from(plan.create)) {
      const free = plan.delete.findIndex(({ addressType }) => addressType === slice.addressType);
      const [old] = free === -1 ? [] : plan.delete.splice(free, 1);
      if (old === undefined) continue;
      plan.create.splice(plan.create.indexOf(slice), 1);
      plan.update.push(recycled(old, slice));
    }
    return plan;
  }

  async #write(plan: SlicePlan): Promise<void> {
    const { client } = this.#context;
    try {
      for (const slice of plan.create) this.#slices?.learn(await client.create(slices, slice));
    } catch (error) {
      if (lacksNamespace(error)) return;
      throw error;
    }
    for (const slice of plan.update) this.#slices?.learn(await client.update(slices, slice));
    for (const slice of plan.delete) {
      const { namespace = '', name = '' } = slice.metadata;
      try {
        await client.delete({ ...slices, namespace, name });
        this.#slices?.forget(slice);
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }
  }
}

function hasSelector(service: StoredService | undefined): boolean {
  return service?.spec?.selector !== undefined;
}

function mayBeMirrored({ metadata: { labels = {}, annotations = {}, deletionTimestamp } }: StoredEndpoints): boolean {
  const isSkipped = labels['endpointslice.kubernetes.io/skip-mirror'] === 'true';
  return !isSkipped && annotations[leaderAnnotation] === undefined && deletionTimestamp === undefined;
}

function serviceKeyOf({ metadata: { namespace = '', labels = {} } }: StoredSlice): string {
  return keyOf(namespace, labels[serviceNameLabel] ?? '');
}

function addressesOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset) {
  return [
    ...addresses.map((address) => ({ address, ready: true })),
    ...notReadyAddresses.map((address) => ({ address, ready: false })),
  ];
}

interface MirroredAddresses {
  readonly all: ReadonlyMap<string, Mirrored>;
  readonly invalid: number;
  /** Beyond what one subset may have. */
  readonly skipped: number;
}

function mirroredOf({ subsets = [] }: StoredEndpoints, most: number): MirroredAddresses {
  const all = new Map<string, Mirrored>();
  let invalid = 0;
  let skipped = 0;
  const ported = subsets.map((subset) => ({
    ports: subset.ports === undefined || subset.ports.length === 0 ? [undefined] : subset.ports,
    states: addressesOf(subset).map(({ address, ready }) => ({ address, isReady: ready })),
  }));
  for (const subset of packSubsets(ported)) {
    const ports = (subset.ports ?? []).map((port) => ({ name: '', ...port }));
    const sorted = sortedPorts(ports);
    let added = 0;
    for (const { address, ready } of addressesOf(subset)) {
      const family = isIP(address.ip ?? '');
      if (added >= most) skipped++;
      else if (family === 0) invalid++;
      else {
        added++;
        const addressType = family === 6 ? 'IPv6' : 'IPv4';
        const key = mirrorKey(addressType, ports);
        const mirrored = all.get(key) ?? { addressType, ports: sorted, endpoints: new Map<string, Endpoint>() };
        all.set(key, mirrored);
        const endpoint = endpointOf(address, ready);
        mirrored.endpoints.set(identityOf(endpoint), endpoint);
      }
    }
  }
  return { all, invalid, skipped };
}

function mirrorKey(addressType: string, ports: readonly EndpointPort[]): string {
  return `${addressType} ${portsKey(ports)}`;
}

function endpointOf({ ip = '', hostname = '', nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname === '' ? {} : { hostname }),
    ...(targetRef === undefined ? {} : { targetRef }),
    ...(nodeName === undefined ? {} : { nodeName }),
  };
}

function sliceOf(object: StoredEndpoints, { addressType, ports, endpoints: list }: Mirrored): StoredSlice {
  const { name = '', labels = {}, annotations = {} } = object.metadata;
  const { [triggerTimeAnnotation]: _time, [appliedAnnotation]: _applied, ...others } = annotations;
  const slice = sliceFor(object, {
    addressType,
    ports,
    labels: {
      ...labels,
      [serviceNameLabel]: name,
      [managedByLabel]: controllerName,
    },
  });
  return { ...slice, metadata: { ...slice.metadata, annotations: others }, endpoints: [...list.values()] };
}

/** The identity of one slice with all else of the other. */
function recycled(old: StoredSlice, { metadata, ...rest }: StoredSlice): StoredSlice {
  const { labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  return { ...rest, metadata: { ...old.metadata, labels, annotations, ownerReferences } };
}

/** The reference knows the name of such a slice and forgets what it was generated from. */
function replaced(old: StoredSlice, slice: StoredSlice): StoredSlice {
  const { metadata, ...rest } = recycled(old, slice);
  const { generateName: _, ...named } = metadata;
  return { ...rest, metadata: named };
}

function isSettled(known: StoredSlice, wanted: StoredSlice): boolean {
  const endpointsOf = ({ endpoints: list = [] }: StoredSlice) => new Map(list.map((each) => [identityOf(each), each]));
  const [before, after] = [endpointsOf(known), endpointsOf(wanted)];
  return (
    before.size === after.size &&
    [...after].every(([identity, endpoint]) => {
      const old = before.get(identity);
      return old !== undefined && isSameEndpoint(endpoint, old);
    }) &&
    isDeepStrictEqual(known.metadata.labels, wanted.metadata.labels) &&
    isDeepStrictEqual(known.metadata.annotations ?? {}, wanted.metadata.annotations) &&
    known.metadata.ownerReferences?.[0]?.uid === wanted.metadata.ownerReferences?.[0]?.uid
  );
}
