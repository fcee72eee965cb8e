import type { Client } from '../api/client/client.ts';
import type { Clock } from '../api/time/clock.ts';
import { once } from '../api/collections/kept-by.ts';
import { Mirror } from '../api/client/mirror.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { PartContext } from '../api/contracts/part.ts';
import { isReason } from '../api/errors/status.ts';
import { changedGroups } from '../catalogue/catalogue.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { serviceNameLabel } from '../outgoing/endpoint-slice.ts';
import { formatSeconds } from '../registry/write/metadata.ts';
import {
  type ApiService,
  apiServiceOf,
  apiServices,
  type Availability,
  isAvailable,
  localAvailability,
  withAvailability,
} from './api-service.ts';
import { availabilityOf } from './availability.ts';
import { AvailabilityMetrics } from './availability-metrics.ts';
import type { MakeQueue, Queue } from './queue.ts';
import { ChangedServices } from './changed-services.ts';
import { Registration, type StoredKinds } from './registration.ts';
import { RemoteDiscovery } from './remote-discovery.ts';
import { RemoteOpenApi } from './remote-openapi.ts';
import { RemoteServices, type RemoteServicesOptions } from './remote-services.ts';
import { changedServices, wantedServices } from './wanted-services.ts';

export interface AggregatorOptions extends RemoteServicesOptions {
  readonly client: Client;
  /** Writes APIServices before they are complete. */
  readonly registering: Client;
  readonly catalogue: LiveCatalogue;
  readonly definitions: StoredKinds;
  readonly clock: Clock;
  readonly metric: PartContext['metric'];
  readonly makeQueue: MakeQueue;
  /** Resolves when the credentials are there. */
  readonly prepare: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const services = { group: '', version: 'v1', resource: 'services', namespace: '' } as const;
const slices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices', namespace: '' } as const;
/** Servers come and go without an event. */
const recheckMs = 30_000;

/**
 * Keeps the APIServices: those of this server's own versions, the conditions of all, and the versions of other servers
 * in the catalogue. It does and writes nothing before APIServices are first read or written.
 *
 * | state     | entered by                                             | does                              |
 * |-----------|--------------------------------------------------------|-----------------------------------|
 * | asleep    |                                                        | nothing                           |
 * | awake     | the first use of APIServices, or a stored remote one   | writes missing ones, follows all  |
 * | checking  | the first remote APIService, until the last one goes   | follows services, asks servers    |
 */
export class Aggregator implements AsyncDisposable {
  readonly remote: RemoteServices;
  readonly #options: AggregatorOptions;
  readonly #registration: Registration;
  readonly #changedServices: ChangedServices;
  readonly #known = new Map<string, ApiService>();
  readonly #metrics: AvailabilityMetrics;
  readonly #conditions: Queue;
  readonly #own: Queue;
  readonly #discovery: RemoteDiscovery;
  readonly #openApi: RemoteOpenApi;
  /** Resolves when they could not be read. */
  readonly #failed = Promise.withResolvers<void>();
  readonly #stop = new AbortController();
  #asleep = true;
  #preparing: Promise<void> | undefined;
  #isPrepared = false;
  #checking: AbortController | undefined;
  #following: Disposable | undefined;

  constructor(options: AggregatorOptions) {
    this.#options = options;
    const { catalogue, definitions, registering, makeQueue, metric } = options;
    this.remote = new RemoteServices(options);
    this.#registration = new Registration({ client: registering, catalogue, definitions });
    this.#changedServices = new ChangedServices(catalogue);
    this.#metrics = new AvailabilityMetrics(metric, () => wantedServices(catalogue.current).keys());
    const rows = { workers: 5, firstDelayMs: 5 };
    this.#conditions = makeQueue({
      ...rows,
      name: 'RemoteAvailabilityController',
      work: (name) => this.#checkAvailability(name),
    });
    this.#discovery = new RemoteDiscovery(this.remote, makeQueue);
    this.#openApi = new RemoteOpenApi(this.remote, makeQueue);
    this.#own = makeQueue({ ...rows, name: 'APIServiceRegistrationController', work: (name) => this.#settle(name) });
  }

  /** Resolves when discovery of the servers known at start has been requested. */
  get settled(): Promise<void> {
    return this.#asleep ? Promise.resolve() : this.awake().then(() => this.#discovery.settled());
  }

  /** Resolves when the APIServices of this server's own versions are stored. */
  registered(): Promise<void> {
    const registered = this.#register();
    void registered.then(() => this.awake()).catch(() => undefined);
    return registered;
  }

  /** Resolves when all stored APIServices are known. */
  readonly awake: () => Promise<void> = once(() => this.#wake());

  /** Wakes it. Resolves when all stored APIServices are known, or cannot be read yet: that is tried again. */
  async tried(): Promise<void> {
    await Promise.race([this.awake(), this.#failed.promise]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#checking?.abort();
    this.#following?.[Symbol.dispose]();
    // A server may take a minute to answer.
    this.remote[Symbol.dispose]();
    const running = [this.#conditions, this.#own, this.#discovery, this.#openApi];
    await Promise.all([this.#preparing, ...running.map((each) => each[Symbol.asyncDispose]())]);
  }

  #registering: Promise<void> | undefined;

  /** Retried on the next use if it fails. */
  #register(): Promise<void> {
    this.#registering ??= this.#registration.begin().catch((error: unknown) => {
      this.#registering = undefined;
      throw error;
    });
    return this.#registering;
  }

  async #wake(): Promise<void> {
    this.#asleep = false;
    const { catalogue, client, onError } = this.#options;
    const { signal } = this.#stop;
    let known = catalogue.current;
    this.#following = catalogue.subscribe((change) => {
      const before = known;
      known = catalogue.current;
      for (const name of changedServices(before, known, changedGroups(change))) this.#own.add(name);
    });
    const mirror = new Mirror({
      client,
      signal,
      collection: {
        ...apiServices,
        namespace: '',
      },
      onError: (error) => {
        this.#failed.resolve();
        onError(error);
      },
      set: (object) => this.#set(apiServiceOf(object)),
      remove: ({ name }) => this.#remove(name),
    });
    await mirror.startRetrying();
    await this.#preparing;
    this.#conditions.start();
    this.#own.start();
    if (!this.#options.definitions.isComplete) void this.#removeUnwanted();
  }

  /** What no definition wants has to wait until all of them are known. */
  async #removeUnwanted(): Promise<void> {
    await this.#options.definitions.settled;
    if (!this.#stop.signal.aborted) for (const name of this.#known.keys()) this.#own.add(name);
  }

  #set(service: ApiService): void {
    const { name = '' } = service.metadata;
    this.#known.set(name, service);
    const { service: reference } = service.spec;
    if (reference !== undefined && !this.#isPrepared) {
      this.#preparing ??= this.#prepare();
      return;
    }
    if (reference === undefined) this.#removeRemote(name);
    else {
      this.remote.set(name, service, reference);
      this.#discovery.add(name);
      this.#openApi.add(name);
    }
    this.#changed(name);
  }

  /** The first APIService of another server needs the credentials: none is called, or checked, without. */
  async #prepare(): Promise<void> {
    const { prepare, onError } = this.#options;
    await prepare().catch(onError);
    this.#isPrepared = true;
    if (this.#stop.signal.aborted) return;
    for (const each of this.#known.values()) if (each.spec.service !== undefined) this.#set(each);
  }

  #remove(name: string): void {
    this.#known.delete(name);
    this.#changedServices.removed(name);
    this.#removeRemote(name);
    this.#changed(name);
  }

  #removeRemote(name: string): void {
    this.remote.delete(name);
    this.#discovery.forget(name);
  }

  #changed(name: string): void {
    this.#own.add(name);
    this.#conditions.add(name);
    if (this.remote.size === 0) {
      this.#checking?.abort();
      this.#checking = undefined;
    } else if (this.#checking === undefined && !this.#stop.signal.aborted) this.#check();
  }

  /** Follows what the availability of remote APIServices depends on. */
  #check(): void {
    const { client, onError } = this.#options;
    const checking = new AbortController();
    this.#checking = checking;
    const { signal } = checking;
    const notice = (namespace: string, name: string): void => {
      for (const each of this.remote.behind(namespace, name)) this.#conditions.add(each);
    };
    const noticeSlice = ({ metadata }: KubernetesObject): void =>
      notice(metadata.namespace ?? '', metadata.labels?.[serviceNameLabel] ?? '');
    const follow = { client, onError, signal };
    const names = new Map<string, string>();
    void new Mirror({
      ...follow,
      collection: services,
      set: ({ metadata }) => notice(metadata.namespace ?? '', metadata.name ?? ''),
      remove: ({ namespace, name }) => notice(namespace, name),
    }).startRetrying();
    void new Mirror({
      ...follow,
      collection: slices,
      set: (slice) => {
        const { namespace = '', name = '', labels = {} } = slice.metadata;
        names.set(`${namespace}/${name}`, labels[serviceNameLabel] ?? '');
        noticeSlice(slice);
      },
      remove: ({ namespace, name }) => {
        notice(namespace, names.get(`${namespace}/${name}`) ?? '');
        names.delete(`${namespace}/${name}`);
      },
    }).startRetrying();
    const timer = setInterval(() => {
      for (const name of this.remote.names()) this.#conditions.add(name);
    }, recheckMs).unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  async #settle(name: string): Promise<undefined> {
    await this.#registration.settle(name, this.#known.get(name));
    this.#changedServices.update(name, this.#known.get(name));
    return undefined;
  }

  async #checkAvailability(name: string): Promise<'again' | undefined> {
    const service = this.#known.get(name);
    if (service === undefined) {
      this.#metrics.forget(name);
      return undefined;
    }
    const remote = this.remote.get(name);
    const { client } = this.#options;
    const availability = remote === undefined ? localAvailability : await availabilityOf(client, remote);
    await this.#write(service, availability);
    return availability.reason === 'FailedDiscoveryCheck' ? 'again' : undefined;
  }

  async #write(service: ApiService, availability: Availability): Promise<void> {
    const { client, clock } = this.#options;
    const { name = '' } = service.metadata;
    this.#metrics.set(name, availability.status === 'True');
    const changed = withAvailability(service, availability, formatSeconds(clock.now()));
    if (changed === undefined) return;
    try {
      await client.write(apiServices, changed, 'status');
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      throw error;
    }
    if (isAvailable(service) && availability.status !== 'True') this.#metrics.count(name, availability.reason);
  }
}
