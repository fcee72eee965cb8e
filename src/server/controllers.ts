import type { ControllerRow } from '../controllers/controller-table.ts';
import type { ControllerContext } from '../controllers/controller-context.ts';
import { InProcessClient, type InProcessClientOptions } from './in-process-client.ts';

/** Starts the controllers, each as its own service account; they stop when the answer is disposed of. */
export async function startControllers(
  table: readonly ControllerRow[],
  options: Omit<InProcessClientOptions, 'user'> & Pick<ControllerContext, 'featureGates'>,
  onError: (error: unknown) => void,
): Promise<AsyncDisposable> {
  await using controllers = new AsyncDisposableStack();
  const { clock, featureGates } = options;
  for (const { name, start } of table) {
    controllers.use(await start({ client: clientOf(name, options), clock, featureGates, onError }));
  }
  return controllers.move();
}

function clientOf(name: string, options: Omit<InProcessClientOptions, 'user'>): InProcessClient {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];
  const user = { name: `system:serviceaccount:kube-system:${name}`, uid: '', groups, extra: {} };
  return new InProcessClient({ ...options, user });
}
