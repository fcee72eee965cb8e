import { join } from 'node:path';
import { CustomObjectsApi, KubeConfig, Watch } from '@kubernetes/client-node';
import { startApiServer } from 'binnacle';

const kind = { group: 'post.example.com', version: 'v1', plural: 'parcels' };

/** Serves the kinds of this folder, with objects in `dataDir`, and delivers parcels until it is closed. */
export async function startControlPlane(dataDir) {
  const server = await startApiServer({ dataDir, definitions: [join(import.meta.dirname, 'kinds')] });
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const parcels = config.makeApiClient(CustomObjectsApi);
  const deliver = async ({ metadata: { namespace, name }, status }) => {
    if (status?.state === 'Delivered') return;
    const body = [{ op: 'add', path: '/status', value: { state: 'Delivered' } }];
    await parcels.patchNamespacedCustomObjectStatus({ ...kind, namespace, name, body });
  };
  const path = `/apis/${kind.group}/${kind.version}/${kind.plural}`;
  const changed = (type, parcel) => {
    if (type !== 'ADDED') return;
    deliver(parcel).catch((error) => console.error(`${parcel.metadata.name} is not delivered: ${error.message}`));
  };
  const watch = await new Watch(config).watch(path, {}, changed, () => undefined);
  return {
    kubeconfig: server.kubeconfig,
    kubeconfigPath: server.kubeconfigPath,
    async close() {
      watch.abort();
      await server.close();
    },
  };
}
