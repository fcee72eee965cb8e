import type { Component } from '../http/virtual/component-statuses.ts';
import type { Resource } from '../schema/resource.ts';
import type { StoreFormat } from '../registry/stored-values.ts';
import type { Storage } from '../storage/contract.ts';

/** How a store is; both reject with what is wrong. */
export interface StoreHealth {
  /** The health check `etcd`. */
  readonly check: () => Promise<void>;
  /** The readiness check `etcd-readiness`. */
  readonly checkReady: () => Promise<void>;
}

/** The store with what only its engine knows how to do. */
export interface Store extends StoreHealth, AsyncDisposable {
  readonly storage: Storage;
  /** Where the objects of a resource are; absent: all are in one place. */
  readonly storageOf?: (stored: Pick<Resource, 'group' | 'plural'>) => Storage;
  /** Other servers may use it at the same time. */
  readonly isShared: boolean;
  /** How objects are in it. */
  readonly format: StoreFormat;
  /** The places of single resources, each once. */
  readonly overrides?: readonly StoreHealth[];
  /** How its parts are, for `componentstatuses`. */
  readonly components: readonly Component[];
  /** What its database takes. */
  sizeBytes(): Promise<number>;
  /** Undefined where the store has its own tools for that. */
  readonly takeSnapshot: (() => Iterable<Uint8Array>) | undefined;
  /** Forgets history from time to time. */
  startCompactor(onError: (error: unknown) => void): Disposable;
}
