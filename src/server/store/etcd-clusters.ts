import type { EtcdConfig } from '../config.ts';
import type { StoreClusters } from './store.ts';

/** The clusters of etcd that objects are kept in. */
export interface EtcdClusters {
  /** Their servers: first those of the main one, then each set of servers of overrides once, regardless of order. */
  readonly serverSets: readonly (readonly string[])[];
  readonly clusterOf: NonNullable<StoreClusters['clusterOf']>;
}

export function etcdClusters({ servers, overrides }: Pick<EtcdConfig, 'servers' | 'overrides'>): EtcdClusters {
  const serverSets = [servers];
  const clusters = new Map<string, number>();
  for (const { group, resource, servers: own } of overrides) {
    const known = serverSets.findIndex((set, index) => index > 0 && isSameSet(set, own));
    clusters.set(`${group}/${resource}`, known < 0 ? serverSets.push(own) - 1 : known);
  }
  return { serverSets, clusterOf: ({ group, plural }) => clusters.get(`${group}/${plural}`) ?? 0 };
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join(';') === other.toSorted().join(';');
}
