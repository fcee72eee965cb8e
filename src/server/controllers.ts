import { NamespaceController } from '../controllers/namespace-controller.ts';
import { StorageProtectionController } from '../controllers/storage-protection-controller.ts';
import { InProcessClient, type InProcessClientOptions } from './in-process-client.ts';

/** Starts the controllers, each as its own service account; they stop when the answer is disposed. */
export function startControllers(
  options: Omit<InProcessClientOptions, 'user'>,
  onError: (error: unknown) => void,
): AsyncDisposable {
  const { clock } = options;
  const controllers = new AsyncDisposableStack();
  controllers.use(new NamespaceController({ client: clientOf('namespace-controller', options), clock, onError }));
  controllers.use(
    new StorageProtectionController({ client: clientOf('storage-protection-controller', options), onError }),
  );
  return controllers;
}

function clientOf(name: string, options: Omit<InProcessClientOptions, 'user'>): InProcessClient {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];
  const user = { name: `system:serviceaccount:kube-system:${name}`, uid: '', groups, extra: {} };
  return new InProcessClient({ ...options, user });
}
