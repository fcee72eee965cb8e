import type { KubernetesObject } from '../../api/meta/object.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import type { StoredCollection, StoredObjects } from '../../api/contracts/stored-objects.ts';
import { plainSource } from '../../api/json/json-tree.ts';
import { isJsonObject } from '../../api/json/json.ts';
import { parseJson } from '../../codec/json.ts';
import { JsonSyntaxError } from '../../codec/json-syntax.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { type KubeconfigServer, openKubeconfigServer } from '../../outgoing/kubeconfig/kubeconfig-server.ts';
import { refusalOf } from '../../outgoing/refused-call.ts';
import { decodeObject } from '../../schema/decode.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';

const timeoutMs = 10_000;
const maxResponseBytes = 4 * 1024 * 1024;

type Name = Parameters<StoredObjects['get']>[1];

/** Stored objects, with the namespaces of the server that a kubeconfig names. */
export async function hostNamespaces(
  own: StoredObjects,
  kubeconfig: string,
  context: PartContext,
): Promise<StoredObjects> {
  return new HostNamespaces(own, await openKubeconfigServer(kubeconfig, context));
}

/**
 * Adds namespaces that only the host has. It is asked each time: what is created in a namespace that is being
 * deleted would stay behind.
 */
class HostNamespaces implements StoredObjects {
  readonly #own: StoredObjects;
  readonly #host: KubeconfigServer;

  constructor(own: StoredObjects, host: KubeconfigServer) {
    this.#own = own;
    this.#host = host;
  }

  list(collection: StoredCollection, namespace?: string): Soon<readonly Readonly<KubernetesObject>[]> {
    return this.#own.list(collection, namespace);
  }

  scan(collection: StoredCollection, namespace: string): AsyncIterable<Readonly<KubernetesObject>> {
    return this.#own.scan(collection, namespace);
  }

  async get(collection: StoredCollection, at: Name): Promise<Readonly<KubernetesObject> | undefined> {
    const own = await this.#own.get(collection, at);
    if (own !== undefined || collection.group !== '' || collection.plural !== 'namespaces') return own;
    return this.#ask(at.name);
  }

  /** Undefined if the host does not have it either. Throws a StatusError. */
  async #ask(name: string): Promise<Readonly<KubernetesObject> | undefined> {
    try {
      const url = new URL(`/api/v1/namespaces/${encodeURIComponent(name)}`, this.#host.url);
      const response = await this.#host.call({ method: 'GET', url, timeoutMs, maxResponseBytes });
      if (response.status === 404) return undefined;
      const refusal = refusalOf(response);
      if (refusal !== undefined) throw new CallError(refusal.message);
      return namespaceOf(response.body);
    } catch (error) {
      const isTheirs = error instanceof CallError || error instanceof JsonSyntaxError || error instanceof DecodeError;
      throw isTheirs ? internalError(`the server in front was asked for a namespace: ${error.message}`) : error;
    }
  }
}

function namespaceOf(body: Uint8Array): KubernetesObject {
  const { value } = parseJson(body);
  const schema = schemaOfKind({ group: '', version: 'v1', kind: 'Namespace' });
  if (schema === undefined || !isJsonObject(value)) throw new CallError('it did not answer with an object');
  return decodeObject(schema, plainSource(value)).object as KubernetesObject; // decoded by its schema
}
