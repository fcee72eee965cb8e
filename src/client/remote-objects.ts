import { identityHeaders } from '../aggregation/identity-headers.ts';
import type {
  ClientDeleteOptions,
  ClientPatchOptions,
  ClientWatchEvent,
  ClientWatchOptions,
  Collection,
  ObjectList,
  ObjectReference,
} from '../api/client/client.ts';
import { isJsonObject, type JsonObject } from '../api/json/json.ts';
import { stringValue } from '../api/json/json-parts.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { UserInfo } from '../api/contracts/user.ts';
import type { RemoteVersion } from '../catalogue/remote-version.ts';
import { parseDeepJson } from '../codec/json.ts';
import { CallError } from '../outgoing/call-error.ts';
import type { CallResponse } from '../outgoing/http-call.ts';
import { refusalOf } from '../outgoing/refused-call.ts';
import { objectOf, watchEvents, watchQuery } from '../outgoing/watch-events.ts';

const timeoutMs = 30_000;
const maxResponseBytes = 8 * 1024 * 1024;
const pageSize = 500;
/** A server may return pages forever. */
const maxObjects = 50_000;
/** Media types of objects of which only the metadata is of interest; a server may return all of them. */
const metadataTypes = {
  object: mediaTypesOf('PartialObjectMetadata'),
  list: mediaTypesOf('PartialObjectMetadataList'),
} as const;

function mediaTypesOf(kind: string): string {
  return `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;
}

/** The metadata of the objects of a version of another server, requested in the user's name. */
export class RemoteObjects {
  readonly #remote: RemoteVersion;
  readonly #user: UserInfo;

  constructor(remote: RemoteVersion, user: UserInfo) {
    this.#remote = remote;
    this.#user = user;
  }

  async list(collection: Collection): Promise<ObjectList> {
    const items: KubernetesObject[] = [];
    let resourceVersion = '';
    for await (const page of this.pages(collection)) {
      items.push(...page.items);
      ({ resourceVersion } = page);
    }
    return { items, resourceVersion };
  }

  /** Pages of one state. */
  async *pages(collection: Collection): AsyncGenerator<ObjectList> {
    let next = '';
    let count = 0;
    do {
      const query = new URLSearchParams({ limit: String(pageSize), ...(next === '' ? {} : { continue: next }) });
      const path = `${pathOf(collection)}?${query.toString()}`;
      const list = await this.#call(path, { method: 'GET', accept: metadataTypes.list });
      const { items: page, metadata } = list;
      // As in the API; only the metadata of the objects is read.
      const items = (Array.isArray(page) ? page : []) as KubernetesObject[];
      count += items.length;
      if (count > maxObjects) throw new CallError(`there are more than ${maxObjects} objects`);
      const { continue: token = '', resourceVersion = '' } = isJsonObject(metadata) ? metadata : {};
      next = stringValue(token);
      yield { items, resourceVersion: stringValue(resourceVersion) };
    } while (next !== '');
  }

  async get(reference: ObjectReference): Promise<KubernetesObject> {
    return objectOf(await this.#call(objectPath(reference), { method: 'GET', accept: metadataTypes.object }));
  }

  /** Ends when the server ends it; `bookmark` is told resource versions from which it can go on. */
  async *watch(
    collection: Collection,
    { resourceVersion, signal }: ClientWatchOptions,
    bookmark: (resourceVersion: string) => void = ignore,
  ): AsyncGenerator<ClientWatchEvent> {
    const path = `${pathOf(collection)}?${new URLSearchParams(watchQuery(resourceVersion)).toString()}`;
    const headers = this.#headers({ accept: metadataTypes.object });
    const opened = await this.#available.server.open(path, { headers, timeoutMs, signal });
    for await (const { type, object } of watchEvents(opened, { signal, maxBytes: maxResponseBytes })) {
      bookmark(object.metadata.resourceVersion ?? '');
      if (type !== 'BOOKMARK') yield { type, object };
    }
  }

  async patch(
    reference: ObjectReference,
    patch: JsonObject,
    { manager }: ClientPatchOptions,
  ): Promise<KubernetesObject> {
    const path = `${objectPath(reference)}?${new URLSearchParams({ fieldManager: manager }).toString()}`;
    const types = { accept: metadataTypes.object, contentType: 'application/merge-patch+json' };
    return objectOf(await this.#call(path, { method: 'PATCH', ...types, body: JSON.stringify(patch) }));
  }

  async deleteCollection(collection: Collection, options: ClientDeleteOptions): Promise<number> {
    const { items } = await this.list(collection);
    if (items.length === 0) return 0;
    await this.#call(pathOf(collection), { method: 'DELETE', body: JSON.stringify(optionsOf(options)) });
    return items.length;
  }

  async delete(reference: ObjectReference, options: ClientDeleteOptions): Promise<void> {
    await this.#call(objectPath(reference), { method: 'DELETE', body: JSON.stringify(optionsOf(options)) });
  }

  async #call(path: string, { method, body, ...types }: RemoteRequest): Promise<JsonObject> {
    const { server } = this.#available;
    const response = await server.call(await server.address(), path, {
      method,
      headers: this.#headers(types),
      timeoutMs,
      maxResponseBytes,
      ...(body === undefined ? {} : { body }),
    });
    return bodyOf(response);
  }

  get #available(): RemoteVersion {
    if (!this.#remote.isAvailable) throw new CallError('service unavailable');
    return this.#remote;
  }

  #headers({ accept = 'application/json', contentType = 'application/json' }: RequestTypes): Headers {
    const identity = [...identityHeaders(this.#user, { withUid: true })].map(([name, values]) => [name, [...values]]);
    return { accept, 'content-type': contentType, ...Object.fromEntries(identity) };
  }
}

type Headers = { readonly [name: string]: string | string[] };

interface RequestTypes {
  readonly accept?: string;
  readonly contentType?: string;
}

interface RemoteRequest extends RequestTypes {
  readonly method: 'GET' | 'PATCH' | 'DELETE';
  readonly body?: string;
}

function ignore(): void {}

async function bodyOf(response: CallResponse): Promise<JsonObject> {
  const refusal = refusalOf(response);
  if (refusal !== undefined) throw refusal;
  const { value } = parseDeepJson(response.body);
  if (!isJsonObject(value)) throw new CallError('the response is not an object');
  return value;
}

function optionsOf({ propagationPolicy, preconditions }: ClientDeleteOptions): object {
  return { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy, preconditions };
}

function pathOf({ group, version, namespace, resource }: Collection): string {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === '' ? `${base}/${resource}` : `${base}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}

function objectPath(reference: ObjectReference): string {
  return `${pathOf(reference)}/${encodeURIComponent(reference.name)}`;
}
