import type { KubernetesObject } from '../api/object.ts';
import { StatusError } from '../api/status.ts';
import type { ResourceScope } from '../http/resource-scope.ts';
import { createObject } from '../registry/create.ts';

/** Namespaces that are always there. */
const systemNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Makes the system's namespaces where they are missing. */
export async function createSystemNamespaces(namespaces: ResourceScope, nowMs: number): Promise<void> {
  const { store } = namespaces;
  if (store === undefined) throw new Error('namespaces are not stored');
  await Promise.all(
    systemNamespaces.map(async (name) => {
      const { kv } = await store.storage.get(`${store.keyPrefix}${name}`);
      if (kv !== undefined) return;
      const object: KubernetesObject = { kind: 'Namespace', apiVersion: 'v1', metadata: { name } };
      namespaces.applyDefaults(object);
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
