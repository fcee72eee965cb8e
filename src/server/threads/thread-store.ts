import type { KindSchemas } from '../../codec/document.ts';
import { PortStorage } from '../../storage/ports/port-storage.ts';
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
  return {
    ...(isEtcd ? storeClusters(clusters, etcdClusters(etcd).clusterOf) : storeClusters(clusters)),
    isShared: storeIsShared,
    wasCutOff,
    takeIn: () => {
      for (const storage of clusters) storage.takeIn();
    },
    format: isEtcd
      ? await etcdFormat(config, schemaOf)
      : {
          encoding: 'json',
          schemaOf,
        },
    check: ofProcess,
    checkReady: ofProcess,
    sizeBytes: ofProcess,
    startCompactor: ofProcess,
    components: [],
    takeSnapshot: undefined,
    upkeep: {
      compact: ofProcess,
      defragment: ofProcess,
    },
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all(clusters.map((storage) => storage[Symbol.asyncDispose]()))),
  };
}

function ofProcess(): never {
  throw new Error('only the first thread of the server does this');
}
