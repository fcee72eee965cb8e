import { join } from 'node:path';
import { runReporter, type WatchingClient } from './watching-client.ts';

const program = join(import.meta.dirname, 'client-node-informer.ts');

/** The informer of `@kubernetes/client-node`, in its own process. */
export const clientNode: WatchingClient = {
  name: "client-node's informer",
  missing: () => undefined,
  prepare: async () => undefined,
  watch: ({ kubeconfigPath, last }, signal) =>
    runReporter(process.execPath, [program, last], { signal, env: { ...process.env, KUBECONFIG: kubeconfigPath } }),
};
