import type { PartContext } from '../../api/contracts/part.ts';
import type { Aggregator } from '../../aggregation/aggregator.ts';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { Encryption } from '../../encryption/encryption.ts';
import { ResourceScopes } from '../../scopes/resource-scopes.ts';
import { StoreMetrics } from '../../scopes/store-metrics.ts';
import { preparedStorage, type StorageOptions } from '../aggregation/open-aggregator.ts';
import type { ServerConfig } from '../config.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import type { TracedPartContext } from '../server-context.ts';
import type { Store } from '../store/store.ts';
import type { SharedParts } from '../threads/shared-parts.ts';
import type { ThreadGround } from './ground.ts';
import type { Later } from './later.ts';
import type { StorePhase } from './store.ts';

/** Objects of all kinds can be read and written. */
export interface KindsPhase {
  readonly catalogue: LiveCatalogue;
  readonly ground: ThreadGround;
  /** The stores of kinds, with APIServices that may be incomplete. */
  readonly unprepared: StorageOptions;
}

export interface KindsPhaseOptions extends Pick<StorePhase, 'store' | 'serving' | 'encryption'> {
  readonly context: TracedPartContext;
  readonly catalogue: LiveCatalogue;
  readonly shared: Pick<SharedParts, 'ports'>;
  /** It completes APIServices before they are read, and reads them itself. */
  readonly aggregator: Later<Aggregator>;
}

export function openKindsPhase(
  config: ServerConfig,
  { context, catalogue, store, serving, encryption, shared, aggregator }: KindsPhaseOptions,
): KindsPhase {
  const places = placesIn({ ...store, ...encryptionIn(encryption) }, config, context);
  const unprepared = shared.ports === undefined ? places : { ...places, remembered: rememberedByFurtherThreads };
  const scopes = new ResourceScopes(
    catalogue,
    preparedStorage(unprepared, () => aggregator.now),
  );
  const ground = { ...context, config, scopes, store, frontProxy: serving.identity.frontProxy };
  return { catalogue, ground, unprepared };
}

function encryptionIn(encryption: Encryption | undefined): Pick<StorageOptions, 'encryptionOf'> {
  return encryption === undefined ? {} : { encryptionOf: (resource) => encryption.of(resource) };
}

/** Clients of other threads, which may be seconds behind, continue here. */
const rememberedByFurtherThreads = 5_000;

function placesIn(
  store: Pick<StorageOptions, 'storage' | 'storageOf' | 'format' | 'encryptionOf'> & Pick<Store, 'isShared'>,
  { storage: { prefix }, api }: ServerConfig,
  { clock, metric }: Pick<PartContext, 'clock' | 'metric'>,
): StorageOptions {
  const namesUnreadable = gatesByConfig(api).get('AllowUnsafeMalformedObjectDeletion') ?? false;
  return {
    ...store,
    prefix,
    namesUnreadable,
    // Another process holds it then.
    startsFromMemory: store.isShared,
    collectsGarbage: api.collectsGarbage,
    clock,
    metrics: new StoreMetrics(metric),
  };
}
