import { aggregatedParameters } from '../api/contracts/aggregated-form.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { CallResponse } from '../outgoing/http-call.ts';
import type { RemoteServer } from '../outgoing/remote-server.ts';
import type { MakeQueue, Queue } from './queue.ts';
import { aggregatorHeaders } from './identity-headers.ts';
import type { RemoteService, RemoteServices } from './remote-services.ts';
import { DiscoveryError, resourcesOfList, resourcesOfOldList } from './advertised-discovery.ts';
import { parsedBody } from './parsed-body.ts';

const aggregatedType = `application/json;${aggregatedParameters}`;
const timeoutMs = 5_000;
const maxResponseBytes = 4 * 1024 * 1024;
/** The resources of a server can change without an event. */
const refreshMs = 60_000;
const firstDelayMs = 500;

/** The discovery of a server, for all of its versions. */
interface Fetched {
  readonly etag: string | undefined;
  readonly resources: ReadonlyMap<string, readonly JsonObject[]>;
}

/** Keeps the discovery of other servers. */
export class RemoteDiscovery implements AsyncDisposable {
  readonly #remote: RemoteServices;
  readonly #queue: Queue;
  /** One server may have several versions. */
  readonly #fetched = new WeakMap<RemoteServer, Fetched>();
  /** Versions that have been requested, successfully or not. */
  readonly #fetches = new Map<string, PromiseWithResolvers<void>>();

  constructor(remote: RemoteServices, makeQueue: MakeQueue) {
    this.#remote = remote;
    this.#queue = makeQueue({ name: 'discovery-manager', work: (name) => this.#ask(name), workers: 2, firstDelayMs });
    this.#queue.start();
  }

  /** An APIService was added or changed. */
  add(name: string): void {
    if (!this.#fetches.has(name)) this.#fetches.set(name, Promise.withResolvers());
    this.#queue.add(name);
  }

  forget(name: string): void {
    this.#fetches.get(name)?.resolve();
    this.#fetches.delete(name);
  }

  /** Resolves when all have been requested. */
  async settled(): Promise<void> {
    await Promise.all([...this.#fetches.values()].map(({ promise }) => promise));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { resolve } of this.#fetches.values()) resolve();
    await this.#queue[Symbol.asyncDispose]();
  }

  async #ask(name: string): Promise<'again' | undefined> {
    const service = this.#remote.get(name);
    if (service === undefined) return undefined;
    try {
      const resources = await this.#resourcesOf(service);
      await this.#remote.tell(name, { resources, isFresh: true });
      this.#queue.addAfter(name, refreshMs);
      return undefined;
    } catch {
      // The condition of the APIService has the reason; the last known state is still useful.
      await this.#remote.tell(name, { isFresh: false });
      return 'again';
    } finally {
      this.#fetches.get(name)?.resolve();
    }
  }

  async #resourcesOf(service: RemoteService): Promise<readonly JsonObject[]> {
    const { server, group, version } = service;
    const known = this.#fetched.get(server);
    const response = await ask(server, '/apis', aggregatedType, known?.etag);
    if (response.status === 304 && known !== undefined) return known.resources.get(`${group}/${version}`) ?? [];
    if (response.status === 503) throw new DiscoveryError('the server is unavailable');
    if (response.status !== 200 || !isAggregated(response)) return this.#askOld(service);
    const resources = await resourcesOfList(await parsedBody(response));
    this.#fetched.set(server, { etag: response.header('etag'), resources });
    return resources.get(`${group}/${version}`) ?? [];
  }

  /** Reads the documents of a server without aggregated discovery. */
  async #askOld({ server, path }: RemoteService): Promise<readonly JsonObject[]> {
    const response = await ask(server, path, 'application/json', undefined);
    if (response.status !== 200) throw new DiscoveryError(`${path} returned ${response.status}`);
    return await resourcesOfOldList(await parsedBody(response));
  }
}

async function ask(
  server: RemoteServer,
  path: string,
  accept: string,
  etag: string | undefined,
): Promise<CallResponse> {
  const headers = { ...aggregatorHeaders, accept, ...(etag === undefined ? {} : { 'if-none-match': etag }) };
  return server.call(await server.address(), path, { headers, timeoutMs, maxResponseBytes });
}

function isAggregated(response: CallResponse): boolean {
  const parts = (response.header('content-type') ?? '').split(';').map((part) => part.trim());
  return aggregatedType.split(';').every((part) => parts.includes(part));
}
