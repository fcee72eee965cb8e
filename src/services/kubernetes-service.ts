import type { Clock } from '../api/time/clock.ts';
import { waitAtMost } from '../api/time/deadline.ts';
import { addressInRange, formatIpAddress, parseIpRange } from '../api/values/ip-address.ts';
import type { JsonObject } from '../api/json/json.ts';
import { pauseOn } from '../api/scheduling/pause.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { deleteNamed } from '../operations/delete.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import type { Operation } from '../operations/operation.ts';
import { noOptions } from '../registry/kinds/delete-options.ts';
import { objectKey } from '../registry/stored/store-kind.ts';
import { readable } from '../registry/stored/unreadable.ts';
import type { Endpoints } from '../schema/kubernetes/generated/types/core-v1.ts';
import { type BootstrapObject, changeObject } from '../system/bootstrap-objects.ts';
import { systemOperation } from '../system/system-operation.ts';
import { ensureServiceWithAddress } from './abandoned-address.ts';
import type { DefaultServiceCidr } from './default-service-cidr.ts';
import type { ChangePlaces, EndpointReconciler } from './endpoint-reconcilers.ts';
import { placesOf, type ServerPlaces, sliceOf, withPlaces } from './server-endpoints.ts';

const serviceName = 'kubernetes';
const serviceNamespace = 'default';
const intervalMs = 10_000;
/** How long a server that stops tries to remove itself if the store is unreachable. */
const farewellMs = 2 * intervalMs;

export interface KubernetesServiceOptions {
  readonly kinds: () => KindRegistry;
  readonly clock: Clock;
  readonly reconciler: EndpointReconciler;
  /** The service itself; recreated when deleted. */
  readonly service: BootstrapObject;
  /** Its cluster IP. */
  readonly address: string;
  readonly defaultCidr: DefaultServiceCidr;
  readonly onError: (error: unknown) => void;
}

/** Maintains the `kubernetes` service and this server's place among its endpoints until it stops. */
export class KubernetesService implements AsyncDisposable {
  readonly #options: KubernetesServiceOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #left: Promise<void> | undefined;

  constructor(options: KubernetesServiceOptions) {
    this.#options = options;
  }

  /** Declares the service ranges, from which the service gets its address. */
  declareRanges(): Promise<void> {
    return this.#options.defaultCidr.sync();
  }

  /** Creates the service, and removes endpoints left by an earlier run of this server: it is not ready yet. */
  async prepare(): Promise<void> {
    const { reconciler, onError } = this.#options;
    await Promise.all([this.#ensureService().catch(onError), reconciler.leave().catch(onError)]);
  }

  /** The server is ready. Resolves once it is first listed. */
  async start(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const first = this.#pass();
    this.#running = this.#run(first);
    await first;
  }

  /** Removes this server from the endpoints, so that it gets no more requests. */
  leave(): Promise<void> {
    this.#left ??= this.#leave();
    return this.#left;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave();
  }

  async #leave(): Promise<void> {
    this.#stop.abort();
    const { reconciler, onError } = this.#options;
    const leaving = this.#running.then(() => reconciler.leave()).catch(onError);
    await waitAtMost(farewellMs, leaving);
  }

  async #run(first: Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    await first;
    for (;;) {
      await pauseOn(this.#options.clock, intervalMs, signal);
      if (signal.aborted) return;
      await this.#pass();
    }
  }

  #ensureService(): Promise<void> {
    const { kinds, clock, service, address } = this.#options;
    return ensureServiceWithAddress({ kinds, clock, service, address, signal: this.#stop.signal });
  }

  async #pass(): Promise<void> {
    const { kinds, clock, defaultCidr, reconciler, onError } = this.#options;
    await defaultCidr.sync().catch(onError);
    const makeMissing = async (): Promise<void> => {
      if ((await storedObject(operationOn('', 'services', { kinds: kinds(), clock }))) !== undefined) return;
      await this.#ensureService();
    };
    await makeMissing().catch(onError);
    await reconciler.join().catch(onError);
  }
}

/** Changes the Endpoints and EndpointSlice of the service. */
export function placeChanger(kinds: () => KindRegistry, clock: Clock): ChangePlaces {
  return async (next) => {
    const operation = operationOn('', 'endpoints', { kinds: kinds(), clock });
    let places: ServerPlaces | undefined;
    const change = (old: JsonObject | undefined): JsonObject => {
      const endpoints = (old ?? identity('v1', 'Endpoints')) as Endpoints; // of its kind
      places = next(placesOf(endpoints));
      return (places === undefined ? endpoints : withPlaces(endpoints, places)) as JsonObject;
    };
    // A server that leaves does not create them.
    if (next(undefined) === undefined && (await storedObject(operation)) === undefined) return;
    await changeObject(operation, serviceName, change);
    if (places === undefined) return;
    await changeSlice(operationOn('discovery.k8s.io', 'endpointslices', { kinds: kinds(), clock }), places);
  };
}

async function storedObject({ scope }: Operation): Promise<KubernetesObject | undefined> {
  const { store } = scope;
  const { kv } = (await store?.storage.get(objectKey(store, serviceNamespace, serviceName))) ?? {};
  return store === undefined || kv === undefined ? undefined : store.codec.decode(readable(store, kv));
}

async function changeSlice(operation: Operation, places: ServerPlaces): Promise<void> {
  const slice = sliceOf(places);
  const known = await storedObject(operation);
  // addressType is immutable.
  if (known !== undefined && known['addressType'] !== slice.addressType) {
    await deleteNamed(operation, serviceName, noOptions);
  }
  await changeObject(operation, serviceName, (old) => {
    const { metadata = {}, ...rest } = old ?? identity('discovery.k8s.io/v1', 'EndpointSlice');
    return { ...rest, ...slice, metadata: { ...(metadata as JsonObject), ...slice.metadata } } as JsonObject;
  });
}

function operationOn(
  group: string,
  resource: string,
  { kinds, clock }: { readonly kinds: KindRegistry; readonly clock: Clock },
): Operation {
  const scope = kinds.scopeOf(group, 'v1', resource);
  if (scope === undefined) throw new Error(`${resource} are not served`);
  return systemOperation(scope, { kinds, clock, namespace: serviceNamespace });
}

function identity(apiVersion: string, kind: string): JsonObject {
  return { apiVersion, kind, metadata: { name: serviceName, namespace: serviceNamespace } };
}

export interface ServicePlace {
  readonly port: number;
  /** The node port; 0: none. */
  readonly nodePort: number;
  readonly range: string;
}

/** The service by which pods reach the servers: the first address of the range. */
export function kubernetesService({ port: targetPort, nodePort, range }: ServicePlace): BootstrapObject {
  const port = { name: 'https', protocol: 'TCP', port: 443, targetPort };
  const clusterIP = firstAddress(range);
  return {
    group: '',
    version: 'v1',
    resource: 'services',
    kind: 'Service',
    namespace: serviceNamespace,
    name: serviceName,
    kept: {
      spec:
        nodePort === 0 ? { type: 'ClusterIP', ports: [port] } : { type: 'NodePort', ports: [{ ...port, nodePort }] },
    },
    initial: {
      metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP,
        ipFamilyPolicy: 'SingleStack',
        sessionAffinity: 'None',
      },
    },
  };
}

/** Throws when it is no range. */
export function firstAddress(serviceRange: string): string {
  const range = parseIpRange(serviceRange);
  if (range === undefined) throw new Error(`${JSON.stringify(serviceRange)} is not a CIDR range`);
  return formatIpAddress(addressInRange(range, 1n));
}
