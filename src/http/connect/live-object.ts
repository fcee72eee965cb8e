import { deadlineIn } from '../../api/time/deadline.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { readObject, readSnapshot } from '../../registry/read/read.ts';
import { type StoreKind, keyPrefixOf } from '../../registry/stored/store-kind.ts';
import { decodeAll } from '../../registry/stored/stored-object.ts';
import { prefixEnd } from '../../storage/contract.ts';
import type { RequestContext } from '../request/request-context.ts';

/** How long a read may take; the connection itself has no deadline. */
const readTimeoutMs = 30_000;

interface ObjectName {
  readonly group?: string;
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
}

/** The latest state of an object; throws a 404. `T`: what its schema says. */
export async function liveObject<T>(context: RequestContext, of: ObjectName): Promise<T & KubernetesObject> {
  const { namespace, name, group = '', plural } = of;
  const store = storeOf(context, group, plural);
  const entry = await readObject(store, {
    namespace,
    name,
    resource: {
      group: context.info.group,
      resource: context.info.resource,
    },
    resourceVersion: '',
    deadlineMs: deadlineIn(readTimeoutMs),
  });
  // Decoded by the schema of its kind.
  return store.codec.decode(entry) as T & KubernetesObject;
}

/** Known objects in a namespace that match `wants`. */
export async function liveObjects<T>(
  context: RequestContext,
  of: Omit<ObjectName, 'name'>,
  wants: (object: T & KubernetesObject) => boolean,
): Promise<(T & KubernetesObject)[]> {
  const { group = '', plural, namespace } = of;
  const store = storeOf(context, group, plural);
  const deadlineMs = deadlineIn(readTimeoutMs);
  const { entries } = await readSnapshot(store, 'latest', { resource: { group, resource: plural }, deadlineMs });
  const prefix = keyPrefixOf(store, namespace);
  const objects = await decodeAll(store.codec, entries.slice(prefix, prefixEnd(prefix)));
  return (objects as (T & KubernetesObject)[]).filter(wants); // likewise
}

function storeOf({ kinds }: RequestContext, group: string, plural: string): StoreKind {
  const store = kinds.scopeOf(group, 'v1', plural)?.store;
  if (store === undefined) throw new Error(`${plural} are not stored`);
  return store;
}
