import type { Metric } from '../../api/metrics/metric.ts';
import type { Component } from '../../http/virtual/component-statuses.ts';
import type { Resource } from '../../schema/resource.ts';
import type { StoreFormat } from '../../registry/stored/stored-values.ts';
import type { Storage } from '../../storage/contract.ts';
import type { SharedEngine } from '../../storage/sharing.ts';
import type { TakenSnapshot } from '../../storage/embedded/engine.ts';
import type { StoreContent } from '../../storage/embedded/store-content.ts';
import type { StoreUpkeep } from '../../storage/upkeep.ts';

/** Health of a store; both reject if it is unhealthy. */
export interface StoreHealth {
  /** The `etcd` health check. */
  readonly check: () => Promise<void>;
  /** The `etcd-readiness` check. */
  readonly checkReady: () => Promise<void>;
}

type StoredResource = Pick<Resource, 'group' | 'plural'>;

/** Where objects are stored. */
export interface StoreClusters {
  readonly storage: Storage;
  /** The storage of a resource; absent: all share one. */
  readonly storageOf?: (stored: StoredResource) => Storage;
  /** All of them; the first one has what no other has. */
  readonly clusters: readonly Storage[];
  /** The cluster of a resource, by its index; absent: all share one. */
  readonly clusterOf?: ((stored: StoredResource) => number) | undefined;
}

/** Throws without a cluster. */
export function storeClusters(
  clusters: readonly Storage[],
  clusterOf?: (stored: StoredResource) => number,
): StoreClusters {
  const [storage] = clusters;
  if (storage === undefined) throw new Error('a store has at least one cluster');
  if (clusterOf === undefined) return { storage, clusters };
  return { storage, clusters, clusterOf, storageOf: (stored) => clusters[clusterOf(stored)] ?? storage };
}

/** The store with its engine-specific operations. */
export interface Store extends StoreClusters, StoreHealth, AsyncDisposable {
  /** What `storage` is, if it alone writes to its store. */
  readonly engine?: SharedEngine;
  /** Takes in what other threads have written; absent: nothing is kept that could be behind. */
  readonly takeIn?: () => void;
  /** Whether other servers may use it concurrently. */
  readonly isShared: boolean;
  /** Whether its previous server was killed; only for stores that are not shared. */
  readonly wasCutOff: boolean;
  /** The format of stored objects. */
  readonly format: StoreFormat;
  /** The storages of overridden resources, each once. */
  readonly overrides?: readonly StoreHealth[];
  /** Health of its parts, for `componentstatuses`. */
  readonly components: readonly Component[];
  /** Metrics that only this engine has. */
  readonly metrics?: readonly Metric[];
  /** Size of its database. */
  sizeBytes(): Promise<number>;
  /** Undefined if the store has its own tools for that. */
  readonly takeSnapshot: (() => TakenSnapshot) | undefined;
  /** What it contains now, for a store in memory; absent: it is not held in this process. */
  readonly content?: () => Promise<StoreContent>;
  /** Closes it after `ms`: by then, calls may have failed that would otherwise wait for a store out of reach. */
  readonly closeIn?: (ms: number) => void;
  /** Maintenance on request. */
  readonly upkeep: StoreUpkeep;
  /** Compacts history periodically. */
  startCompactor(onError: (error: unknown) => void): Disposable;
}
