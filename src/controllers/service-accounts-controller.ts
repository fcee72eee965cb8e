import { isReason, lacksNamespace } from '../api/errors/status.ts';
import type { Namespace, ServiceAccount } from '../schema/kubernetes/generated/types/core-v1.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { namespaces, serviceAccounts } from './core-collections.ts';
import { partsOfKey } from './followed-objects.ts';

const accountName = 'default';

/** Creates the `default` service account in every active namespace, and recreates it when deleted. */
export function serviceAccountsController(context: ControllerContext): AsyncDisposable {
  const loop = new ControlLoop(context, ensureAccount, { queue: 'serviceaccount' });
  const accounts = loop.follow(serviceAccounts, {
    keep: ({ metadata }) => (metadata.name === accountName ? true : undefined),
    changed: ({ now, key }) => {
      if (now === undefined) loop.queue.add(partsOfKey(key).namespace);
    },
  });
  const active = loop.follow(namespaces, {
    keep: ({ status }) => (status as Namespace['status'])?.phase === 'Active', // decoded by its schema
    changed: ({ now, key }) => {
      if (now === true) loop.queue.add(partsOfKey(key).name);
    },
  });
  return loop;

  async function ensureAccount(namespace: string): Promise<void> {
    if (active.get('', namespace) !== true || accounts.get(namespace, accountName) === true) return;
    try {
      await context.client.create(serviceAccounts, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: accountName, namespace },
      } satisfies ServiceAccount);
    } catch (error) {
      if (!isReason(error, 'AlreadyExists') && !lacksNamespace(error)) throw error;
    }
  }
}
