import type { JsonValue } from '../api/json/json.ts';
import type { SwaggerPart, AdvertisedOpenApi } from '../catalogue/remote-version.ts';
import type { CallResponse } from '../outgoing/http-call.ts';
import type { RemoteServer } from '../outgoing/remote-server.ts';
import type { MakeQueue, Queue } from './queue.ts';
import type { RemoteService, RemoteServices } from './remote-services.ts';
import { DiscoveryError } from './advertised-discovery.ts';
import { documentsIn, swaggerPart } from './advertised-openapi.ts';
import { parsedBody } from './parsed-body.ts';

const headers = { 'x-remote-user': 'system:aggregator', accept: 'application/json' } as const;
const timeoutMs = 60_000;
const maxResponseBytes = 8 * 1024 * 1024;
/** One for each version of a group. */
const maxDocuments = 10_000;
/** Schemas of a server can change without an event; documents are requested with their ETag. */
const refreshMs = 60_000;

interface Fetched {
  readonly etag: string;
  readonly part: SwaggerPart;
}

const nothing: SwaggerPart = { paths: new Map(), definitions: new Map(), parameters: new Map() };

/** Keeps the OpenAPI documents of other servers. */
export class RemoteOpenApi implements AsyncDisposable {
  readonly #remote: RemoteServices;
  readonly #queue: Queue;
  readonly #fetched = new WeakMap<RemoteServer, Fetched>();

  constructor(remote: RemoteServices, makeQueue: MakeQueue) {
    this.#remote = remote;
    this.#queue = makeQueue({
      name: 'open_api_v3_aggregation_controller',
      work: (name) => this.#ask(name),
      workers: 1,
      firstDelayMs: refreshMs,
    });
    this.#queue.start();
  }

  /** An APIService was added or changed. */
  add(name: string): void {
    // Only discovery is requested from servers that do not respond.
    if (this.#remote.get(name)?.entry.isAvailable === true) this.#queue.add(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue[Symbol.asyncDispose]();
  }

  async #ask(name: string): Promise<'again' | undefined> {
    const service = this.#remote.get(name);
    if (service === undefined) return undefined;
    try {
      const [v2, v3] = await Promise.all([this.#swaggerOf(service), documentsOf(service)]);
      const advertised: AdvertisedOpenApi = { v2, v3 };
      this.#remote.tellOpenApi(name, advertised);
      this.#queue.addAfter(name, refreshMs);
      return undefined;
    } catch {
      // The condition of the APIService has the reason; the last known state is still useful.
      return 'again';
    }
  }

  async #swaggerOf({ server, path }: RemoteService): Promise<SwaggerPart> {
    const known = this.#fetched.get(server);
    const response = await ask(server, '/openapi/v2', known?.etag);
    if (response.status === 304 && known !== undefined) return known.part;
    if (response.status === 404) return nothing;
    const part = swaggerPart(await bodyOf(response), `${path}/`);
    const etag = response.header('etag');
    if (etag !== undefined) this.#fetched.set(server, { etag, part });
    return part;
  }
}

async function documentsOf({ server }: RemoteService): Promise<ReadonlyMap<string, string>> {
  const response = await ask(server, '/openapi/v3', undefined);
  return response.status === 404 ? new Map() : documentsIn(await bodyOf(response, maxDocuments));
}

async function ask(server: RemoteServer, path: string, etag: string | undefined): Promise<CallResponse> {
  const sent = etag === undefined ? headers : { ...headers, 'if-none-match': etag };
  return server.call(await server.address(), path, { headers: sent, timeoutMs, maxResponseBytes });
}

async function bodyOf(response: CallResponse, maxObjects?: number): Promise<JsonValue> {
  if (response.status !== 200) throw new DiscoveryError(`OpenAPI returned ${response.status}`);
  return parsedBody(response, maxObjects);
}
