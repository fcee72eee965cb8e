import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { isReason, lacksNamespace } from '../../api/errors/status.ts';
import type {
  EndpointAddress,
  EndpointPort,
  Endpoints,
  EndpointSubset,
} from '../../schema/kubernetes/generated/types/core-v1.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { endpoints } from '../core-collections.ts';
import { type FollowedObjects, partsOfKey } from '../followed-objects.ts';
import type { StoredPod } from '../pods.ts';
import { ControllerEvents } from '../controller-events.ts';
import {
  addressCount,
  type AddressState,
  mostAddresses,
  packSubsets,
  type PortedAddresses,
  truncated,
} from './endpoint-subsets.ts';
import {
  addressesOf,
  headlessLabel,
  hostnameOf,
  isHeadless,
  isReachable,
  isReady,
  isTerminating,
  type StoredService,
} from './pod-endpoints.ts';
import { ServicePods } from './service-pods.ts';
import { type NumberedPort, ServicePorts } from './service-ports.ts';
import { TriggerTimes, withTriggerTime } from './trigger-times.ts';

type StoredEndpoints = KubernetesObject & Endpoints;

const managedByLabel = 'endpoints.kubernetes.io/managed-by';
const controllerName = 'endpoint-controller';
const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity';
const attempts = 16;

/** Maintains the Endpoints of services with selectors. */
export class EndpointsController implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #services: ServicePods;
  readonly #events: ControllerEvents;
  readonly #triggers = new TriggerTimes();
  /** Not needed before a service selects pods. */
  #endpoints: FollowedObjects<StoredEndpoints> | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { client, clock, onError, config } = context;
    this.#loop = new ControlLoop(context, (key) => this.#work(key), { queue: 'endpoint', attempts });
    this.#services = new ServicePods(this.#loop, config.endpoints.batchPeriodMs);
    this.#events = new ControllerEvents({ client, clock, onError, component: controllerName });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  #follow(): FollowedObjects<StoredEndpoints> {
    return this.#loop.follow(endpoints, {
      keep: (object) => object as StoredEndpoints, // decoded by its schema
      changed: ({ now, before, key }) => {
        // Endpoints created here whose service was deleted in the meantime.
        const isNew = before === undefined && now?.metadata.labels?.[managedByLabel] === controllerName;
        if (now === undefined || isNew) this.#loop.queue.add(key);
      },
    });
  }

  async #work(key: string): Promise<void> {
    const { namespace, name } = partsOfKey(key);
    const service = this.#services.services.get(namespace, name);
    if (service === undefined) return this.#remove(key);
    if (service.spec?.type === 'ExternalName' || service.spec?.selector === undefined) return;
    const followed = (this.#endpoints ??= this.#follow());
    await Promise.all([this.#services.ready(), followed.ready]);
    const pods = this.#services.of(service);
    const triggerMs = this.#triggers.next(key, service, pods);
    const subsets = subsetsOf(service, pods);
    const known = followed.get(namespace, name);
    if (known !== undefined && isSettled(known, service, subsets)) return;
    await this.#write(service, withTriggerTime(wantedOf(known, service, subsets), triggerMs));
  }

  async #remove(key: string): Promise<void> {
    this.#triggers.forget(key);
    try {
      await this.#context.client.delete({ ...endpoints, ...partsOfKey(key) });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  async #write(service: StoredService, wanted: StoredEndpoints): Promise<void> {
    const { client } = this.#context;
    const isNew = wanted.metadata.resourceVersion === undefined;
    try {
      const written = await (isNew ? client.create(endpoints, wanted) : client.update(endpoints, wanted));
      this.#endpoints?.learn(written);
    } catch (error) {
      if (lacksNamespace(error)) return;
      const { namespace, name } = service.metadata;
      const place = `${namespace}/${name}: ${error instanceof Error ? error.message : String(error)}`;
      const event = isNew
        ? { reason: 'FailedToCreateEndpoint', message: `Failed to create endpoint for service ${place}` }
        : { reason: 'FailedToUpdateEndpoint', message: `Failed to update endpoint ${place}` };
      await this.#events.tell(wanted, { type: 'Warning', ...event });
      throw error;
    }
  }
}

function subsetsOf(service: StoredService, pods: readonly StoredPod[]): readonly EndpointSubset[] {
  const { ports = [], clusterIP } = service.spec ?? {};
  const withoutPorts = ports.length === 0 && clusterIP === 'None' ? [undefined] : [];
  const onPods = new ServicePorts(ports, function (numbered) {
    const group = { ports: [...withoutPorts] as (EndpointPort | undefined)[], states: [] as AddressState[] };
    for (const port of numbered) {
      group.ports.push(endpointPort(port));
    }
    return group;
  });
  const all = new Set<PortedAddresses>();
  for (const pod of pods) {
    const state = stateOf(service, pod);
    if (state === undefined) continue;
    const group = onPods.of(pod);
    group.states.push(state);
    all.add(group);
  }
  return packSubsets([...all]);
}

function endpointPort({ port: { name = '', protocol, appProtocol }, number }: NumberedPort): EndpointPort {
  return {
    ...(name === '' ? {} : { name }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(appProtocol === undefined ? {} : { appProtocol }),
    port: number,
  };
}

/** Undefined if the pod cannot be reached. */
function stateOf(service: StoredService, pod: StoredPod): AddressState | undefined {
  const { publishNotReadyAddresses = false, ipFamilies = [] } = service.spec ?? {};
  if (!isReachable(pod) || (isTerminating(pod) && !publishNotReadyAddresses)) return undefined;
  const [ip] = addressesOf(pod, ipFamilies[0] === 'IPv6' ? 6 : 4);
  if (ip === undefined) return undefined;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const hostname = hostnameOf(pod, service);
  const address: EndpointAddress = {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    nodeName: pod.spec?.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
  return { address, isReady: publishNotReadyAddresses || isReady(pod) };
}

/** Whether there is nothing to write. */
function isSettled(known: StoredEndpoints, service: StoredService, subsets: readonly EndpointSubset[]): boolean {
  const { labels = {}, annotations = {} } = known.metadata;
  const stored = known.subsets ?? [];
  const withoutHeadless = (all: { [label: string]: string }): object => ({ ...all, [headlessLabel]: undefined });
  return (
    isDeepStrictEqual(stored.map(withoutVersions), subsets.map(withoutVersions)) &&
    isDeepStrictEqual(withoutHeadless(labels), withoutHeadless(labelsOf(service))) &&
    addressCount(stored) <= mostAddresses &&
    annotations[overCapacityAnnotation] === undefined
  );
}

/** Whether two states of a pod yield the same endpoint. */
function withoutVersions({ addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset): EndpointSubset {
  const plain = ({ targetRef, ...address }: EndpointAddress): EndpointAddress => {
    const { resourceVersion: _, ...reference } = targetRef ?? {};
    return { ...address, targetRef: reference };
  };
  return { addresses: addresses.map(plain), notReadyAddresses: notReadyAddresses.map(plain), ports };
}

function wantedOf(
  known: StoredEndpoints | undefined,
  service: StoredService,
  subsets: readonly EndpointSubset[],
): StoredEndpoints {
  const { name = '', namespace = '' } = service.metadata;
  const metadata = known?.metadata ?? { name, namespace };
  const { [overCapacityAnnotation]: _, ...annotations } = metadata.annotations ?? {};
  const isOver = addressCount(subsets) > mostAddresses;
  const over = isOver ? { [overCapacityAnnotation]: 'truncated' } : {};
  const { subsets: _before, ...rest } = known ?? { apiVersion: 'v1', kind: 'Endpoints' };
  return {
    ...rest,
    metadata: { ...metadata, labels: labelsOf(service), annotations: { ...annotations, ...over } },
    ...(subsets.length === 0 ? {} : { subsets: [...(isOver ? truncated(subsets) : subsets)] }),
  };
}

function labelsOf(service: StoredService): { [label: string]: string } {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {};
  return { ...labels, ...(isHeadless(service) ? { [headlessLabel]: '' } : {}), [managedByLabel]: controllerName };
}
