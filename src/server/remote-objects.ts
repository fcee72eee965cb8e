import { identityHeaders } from '../aggregation/identity-headers.ts';
import type {
  ClientDeleteOptions,
  ClientResource,
  Collection,
  ObjectList,
  ObjectReference,
  RemoteResources,
} from '../api/client.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { keptBy } from '../api/kept-by.ts';
import type { KubernetesObject } from '../api/object.ts';
import { inTurns } from '../api/turns.ts';
import type { UserInfo } from '../api/user.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CatalogueVersion } from '../catalogue/catalogue-group.ts';
import type { RemoteVersion } from '../catalogue/remote-version.ts';
import { readJson } from '../codec/json.ts';
import { CallError } from '../outgoing/call-error.ts';
import { type CallAnswer } from '../outgoing/http-call.ts';
import { refusalOf } from '../outgoing/refused-call.ts';

const timeoutMs = 30_000;
const maxAnswerBytes = 8 * 1024 * 1024;
const pageSize = 500;
/** A server may return pages forever. */
const maxObjects = 50_000;

/** Resources of other servers in a snapshot, each in the first version that has it. */
export const remoteResources = keptBy(({ groups }: Catalogue): RemoteResources => {
  const versions = groups.flatMap((group) => group.versions);
  const known = new Map<string, ClientResource>();
  for (const version of versions) {
    for (const each of toldResources(version)) {
      const place = `${each.group}/${each.resource}`;
      if (!known.has(place)) known.set(place, each);
    }
  }
  const unknown = versions.filter(({ remote }) => remote !== undefined && remote.told?.isFresh !== true);
  return { resources: [...known.values()], unknown: unknown.map(({ group, version }) => `${group}/${version}`) };
});

function toldResources({ group, version, remote }: CatalogueVersion): readonly ClientResource[] {
  return (remote?.told?.resources ?? []).map((told) => {
    const { resource = '', responseKind, scope, verbs } = told;
    return {
      ...{ group, version, resource: textOf(resource), namespaced: scope === 'Namespaced' },
      kind: isJsonObject(responseKind) ? textOf(responseKind['kind']) : '',
      verbs: Array.isArray(verbs) ? verbs.map(textOf) : [],
    };
  });
}

/** The objects of a version of another server, requested in the user's name. */
export class RemoteObjects {
  readonly #remote: RemoteVersion;
  readonly #user: UserInfo;

  constructor(remote: RemoteVersion, user: UserInfo) {
    this.#remote = remote;
    this.#user = user;
  }

  async list(collection: Collection): Promise<ObjectList> {
    const items: KubernetesObject[] = [];
    let next = '';
    let resourceVersion = '';
    do {
      const query = new URLSearchParams({ limit: String(pageSize), ...(next === '' ? {} : { continue: next }) });
      const list = await this.#call('GET', `${pathOf(collection)}?${query.toString()}`);
      const { items: page, metadata } = list;
      // As in the API; only the metadata of the objects is read.
      items.push(...((Array.isArray(page) ? page : []) as unknown as KubernetesObject[]));
      if (items.length > maxObjects) throw new CallError(`there are more than ${maxObjects} objects`);
      const { continue: token = '', resourceVersion: version = '' } = isJsonObject(metadata) ? metadata : {};
      [next, resourceVersion] = [textOf(token), textOf(version)];
    } while (next !== '');
    return { items, resourceVersion };
  }

  async deleteCollection(collection: Collection, options: ClientDeleteOptions): Promise<number> {
    const { items } = await this.list(collection);
    if (items.length === 0) return 0;
    await this.#call('DELETE', pathOf(collection), JSON.stringify(optionsOf(options)));
    return items.length;
  }

  async delete(reference: ObjectReference, options: ClientDeleteOptions): Promise<void> {
    const path = `${pathOf(reference)}/${encodeURIComponent(reference.name)}`;
    await this.#call('DELETE', path, JSON.stringify(optionsOf(options)));
  }

  async #call(method: 'GET' | 'DELETE', path: string, body?: string): Promise<JsonObject> {
    const { server, isAvailable } = this.#remote;
    if (!isAvailable) throw new CallError('service unavailable');
    const answer = await server.call(await server.address(), path, {
      ...{ method, headers: this.#headers(), timeoutMs, maxAnswerBytes },
      ...(body === undefined ? {} : { body }),
    });
    return bodyOf(answer);
  }

  #headers(): { readonly [name: string]: string | string[] } {
    const identity = [...identityHeaders(this.#user, { withUid: true })].map(([name, values]) => [name, [...values]]);
    return { accept: 'application/json', 'content-type': 'application/json', ...Object.fromEntries(identity) };
  }
}

async function bodyOf(answer: CallAnswer): Promise<JsonObject> {
  const refusal = refusalOf(answer);
  if (refusal !== undefined) throw refusal;
  const { value } = await inTurns(readJson(answer.body));
  if (!isJsonObject(value)) throw new CallError('the response is not an object');
  return value;
}

function optionsOf({ propagationPolicy, preconditions }: ClientDeleteOptions): object {
  return { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy, preconditions };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function pathOf({ group, version, namespace, resource }: Collection): string {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === '' ? `${base}/${resource}` : `${base}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}
