import type { ControllerContext } from '../controllers/controller-context.ts';
import type { ControllerRow } from '../controllers/controller-table.ts';
import { InProcessClient, type InProcessClientOptions } from './in-process-client.ts';

/** Starts the controllers, each as its own service account; they stop when the answer is disposed of. */
export async function startControllers(
  table: readonly ControllerRow[],
  options: Omit<InProcessClientOptions, 'user'>,
  context: Omit<ControllerContext, 'client' | 'authorizer' | 'clock'>,
): Promise<AsyncDisposable> {
  await using controllers = new AsyncDisposableStack();
  const { clock, authorizer } = options;
  for (const { name, start } of table) {
    controllers.use(await start({ ...context, client: clientOf(name, options), authorizer, clock }));
  }
  return controllers.move();
}

function clientOf(name: string, options: Omit<InProcessClientOptions, 'user'>): InProcessClient {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];
  const user = { name: `system:serviceaccount:kube-system:${name}`, uid: '', groups, extra: {} };
  return new InProcessClient({ ...options, user });
}
