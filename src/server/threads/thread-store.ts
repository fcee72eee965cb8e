import type { KindSchemas } from '../../codec/document.ts';
import { PortStorage } from '../../storage/ports/port-storage.ts';
import { UpkeepRefusedError } from '../../storage/upkeep.ts';
import { etcdClusters } from '../store/etcd-clusters.ts';
import { etcdFormat } from '../store/open-etcd.ts';
import { type Store, storeClusters } from '../store/store.ts';
import type { ThreadData } from './thread-data.ts';

/** The store of the process, for one of its threads. */
export async function threadStore(
  { config, stores, storeIsShared, wasCutOff }: ThreadData,
  schemaOf: KindSchemas,
): Promise<Store> {
  const { etcd } = config.storage;
  const isEtcd = etcd.servers.length > 0;
  const clusters = stores.map((store) => new PortStorage(store));
  const check = async (): Promise<void> => void (await Promise.all(clusters.map((storage) => storage.check())));
  return {
    ...(isEtcd ? storeClusters(clusters, etcdClusters(etcd).clusterOf) : storeClusters(clusters)),
    isShared: storeIsShared,
    wasCutOff,
    takeIn: () => {
      for (const storage of clusters) storage.takeIn();
    },
    format: isEtcd ? await etcdFormat(config, schemaOf) : { encoding: 'json', schemaOf },
    check,
    checkReady: check,
    components: [{ name: 'etcd-0', check }],
    sizeBytes: () => Promise.reject(new Error('only the first thread knows the size of the store')),
    takeSnapshot: undefined,
    upkeep: { compact: refuse, defragment: refuse },
    startCompactor: () => new DisposableStack(),
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all(clusters.map((storage) => storage[Symbol.asyncDispose]()))),
  };
}

function refuse(): never {
  throw new UpkeepRefusedError('only the first thread of the server does this');
}
