import type { Clock } from '../api/time/clock.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { create } from '../operations/create.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import { systemOperation, systemWrite } from './system-operation.ts';

/** The system namespaces. */
const systemNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Creates missing system namespaces. */
export async function createSystemNamespaces(kinds: KindRegistry, clock: Clock): Promise<void> {
  const namespaces = kinds.scopeOf('', 'v1', 'namespaces');
  const store = namespaces?.store;
  if (namespaces === undefined || store === undefined) throw new Error('namespaces are not stored');
  await Promise.all(
    systemNamespaces.map(async (name) => {
      const { kv } = await store.storage.get(`${store.keyPrefix}${name}`);
      if (kv !== undefined) return;
      const object: KubernetesObject = { kind: 'Namespace', apiVersion: 'v1', metadata: { name } };
      try {
        await create(systemOperation(namespaces, { kinds, clock }), object, systemWrite);
      } catch (error) {
        // Created by another server of the store.
        if (!isReason(error, 'AlreadyExists')) throw error;
      }
    }),
  );
}
