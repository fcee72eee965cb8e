import type { KubernetesObject } from '../api/object.ts';
import { StatusError } from '../api/status.ts';
import { trackOwners } from '../http/field-owners.ts';
import { createObject } from '../registry/create.ts';
import type { ResourceScopes } from './resource-scopes.ts';

/** Who owns what the server itself writes. */
export const serverManager = 'kube-apiserver';

/** Namespaces that are always there. */
const systemNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Makes the system's namespaces where they are missing. */
export async function createSystemNamespaces(scopes: ResourceScopes, nowMs: number): Promise<void> {
  const namespaces = scopes.scopeOf('', 'v1', 'namespaces');
  const store = namespaces?.store;
  if (namespaces === undefined || store === undefined) throw new Error('namespaces are not stored');
  await Promise.all(
    systemNamespaces.map(async (name) => {
      const { kv } = await store.storage.get(`${store.keyPrefix}${name}`);
      if (kv !== undefined) return;
      const object: KubernetesObject = { kind: 'Namespace', apiVersion: 'v1', metadata: { name } };
      namespaces.applyDefaults(object);
      const place = { scope: namespaces, kinds: scopes, subresource: '' };
      await trackOwners(place, { live: undefined, updated: object, manager: serverManager });
      const scope = {
        resource: namespaces.groupResource,
        namespace: '',
        dryRun: false,
        deadlineMs: Number.POSITIVE_INFINITY,
        context: {
          nowMs,
          requestGroup: '',
          requestVersion: 'v1',
          user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
        },
        warn: () => undefined,
      };
      try {
        await createObject(store, object, scope, () => undefined);
      } catch (error) {
        // Another server on the same store was quicker.
        if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error;
      }
    }),
  );
}
