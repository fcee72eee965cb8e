import type { ControllerRow } from '../controllers/controller-table.ts';
import { InProcessClient, type InProcessClientOptions } from './in-process-client.ts';

/** Starts the controllers, each as its own service account, until the result is disposed of. */
export async function startControllers(
  table: readonly ControllerRow[],
  options: Omit<InProcessClientOptions, 'user'>,
  onError: (error: unknown) => void,
): Promise<AsyncDisposable> {
  await using controllers = new AsyncDisposableStack();
  const { clock } = options;
  for (const { name, start } of table) {
    controllers.use(await start({ client: clientOf(name, options), clock, onError }));
  }
  return controllers.move();
}

function clientOf(name: string, options: Omit<InProcessClientOptions, 'user'>): InProcessClient {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];
  const user = { name: `system:serviceaccount:kube-system:${name}`, uid: '', groups, extra: {} };
  return new InProcessClient({ ...options, user });
}
