import type { Clock } from '../api/time/clock.ts';
import type { Metric, MetricDefinition, MetricLabels } from '../api/metrics/metric.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { Transformation, TransformationUse } from '../storage/encryption/prefixed.ts';
import { LruMap } from '../api/collections/lru-map.ts';
import { exponentialBuckets } from '../api/metrics/buckets.ts';
import { ReloadMetrics, serverLabel } from '../api/metrics/reload-metrics.ts';

const storage = 'apiserver_storage';
const envelope = 'apiserver_envelope_encryption';

const byKey = ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'];

const definitions = {
  seconds: {
    name: `${storage}_transformation_duration_seconds`,
    type: 'histogram',
    buckets: exponentialBuckets(5e-6, 25),
    help: 'Duration of the encryption and decryption of values, in seconds.',
    labelNames: ['transformation_type', 'transformer_prefix'],
  },
  operations: {
    name: `${storage}_transformation_operations_total`,
    type: 'counter',
    help: 'Values that were encrypted or decrypted, by outcome.',
    labelNames: ['resource', 'transformation_type', 'transformer_prefix', 'status'],
  },
  cacheMisses: {
    name: `${storage}_envelope_transformation_cache_misses_total`,
    type: 'counter',
    labelNames: [],
    help: 'Keys that a plugin had to decrypt.',
  },
  keySeconds: {
    name: `${storage}_data_key_generation_duration_seconds`,
    type: 'histogram',
    labelNames: [],
    help: 'Duration of the generation of keys, in seconds.',
    buckets: exponentialBuckets(5e-6, 14),
  },
  keyFailures: {
    name: `${storage}_data_key_generation_failures_total`,
    type: 'counter',
    labelNames: [],
    help: 'Keys that could not be generated.',
  },
  cacheFill: {
    name: `${envelope}_dek_cache_fill_percent`,
    type: 'gauge',
    overThreads: 'max',
    labelNames: [],
    help: 'Share of the cache of keys that is used, with plugins of the first version.',
  },
  arrivals: {
    name: `${envelope}_dek_cache_inter_arrival_time_seconds`,
    type: 'histogram',
    buckets: exponentialBuckets(60, 10),
    help: 'Time between two values read or written with plugins of the first version, in seconds.',
    labelNames: ['transformation_type'],
  },
  callSeconds: {
    name: `${envelope}_kms_operations_latency_seconds`,
    type: 'histogram',
    buckets: exponentialBuckets(1e-4, 20),
    help: 'Duration of calls to plugins, in seconds.',
    labelNames: ['provider_name', 'method_name', 'grpc_status_code'],
  },
  keyUses: {
    name: `${envelope}_key_id_hash_total`,
    type: 'counter',
    labelNames: byKey,
    help: 'Uses of the keys of plugins.',
  },
  keyUsed: {
    name: `${envelope}_key_id_hash_last_timestamp_seconds`,
    type: 'gauge',
    overThreads: 'max',
    labelNames: byKey,
    help: 'When the keys of plugins were last used.',
  },
  keyNamed: {
    name: `${envelope}_key_id_hash_status_last_timestamp_seconds`,
    type: 'gauge',
    overThreads: 'max',
    help: 'When plugins last named their keys.',
    labelNames: ['provider_name', 'key_id_hash', 'apiserver_id_hash'],
  },
  invalidKeys: {
    name: `${envelope}_invalid_key_id_from_status_total`,
    type: 'counter',
    help: 'Invalid names of keys that plugins gave.',
    labelNames: ['provider_name', 'error'],
  },
  cacheSize: {
    name: `${envelope}_dek_source_cache_size`,
    type: 'gauge',
    overThreads: 'sum',
    labelNames: ['provider_name'],
    help: 'Secrets of plugins that are known: the number of calls that a restart takes.',
  },
} as const satisfies { readonly [name: string]: MetricDefinition };

type Name = keyof typeof definitions;

/** Names of keys that are shown: those used last. */
const maxKeys = 100;

export interface MetricsOptions {
  readonly clock: Clock;
  readonly metric: PartContext['metric'];
  readonly serverId: string;
}

/** Metrics of encryption at rest, under the reference's names. */
export class EncryptionMetrics implements TransformationUse {
  readonly #metrics: { readonly [name in Name]: Metric };
  readonly #clock: Clock;
  readonly #reloads: ReloadMetrics;
  readonly #server: MetricLabels;
  readonly #usedKeys: LruMap<string, MetricLabels>;
  readonly #namedKeys: LruMap<string, MetricLabels>;
  readonly #lastMs = new Map<string, number>();

  constructor({ clock, metric, serverId }: MetricsOptions) {
    const made = Object.entries(definitions).map(([name, definition]) => [name, metric(definition)]);
    this.#metrics = Object.fromEntries(made) as { readonly [name in Name]: Metric }; // of all definitions
    this.#clock = clock;
    this.#reloads = new ReloadMetrics(
      { metric, clock },
      { prefix: 'apiserver_encryption_config_controller', what: 'the encryption configuration' },
    );
    this.#server = serverLabel(serverId);
    const { keyUses, keyUsed, keyNamed } = this.#metrics;
    this.#usedKeys = recentKeys([keyUses, keyUsed]);
    this.#namedKeys = recentKeys([keyNamed]);
    for (const always of [this.cacheMisses, this.cacheFill, this.#metrics.keyFailures]) always.start({});
    this.keySeconds.start({});
  }

  get cacheMisses(): Metric {
    return this.#metrics.cacheMisses;
  }

  get keySeconds(): Metric {
    return this.#metrics.keySeconds;
  }

  get cacheFill(): Metric {
    return this.#metrics.cacheFill;
  }

  get callSeconds(): Metric {
    return this.#metrics.callSeconds;
  }

  get invalidKeys(): Metric {
    return this.#metrics.invalidKeys;
  }

  get cacheSize(): Metric {
    return this.#metrics.cacheSize;
  }

  counterOf({ resource, type, prefix }: Transformation): (seconds: number) => void {
    const labels = { transformation_type: type, transformer_prefix: prefix };
    const count = this.#metrics.operations.counter({ resource, ...labels, status: 'OK' });
    const observe = this.#metrics.seconds.observer(labels);
    return (seconds) => {
      count();
      observe(seconds);
    };
  }

  failed({ resource, type, prefix }: Transformation, error: unknown): void {
    const labels = { resource, transformation_type: type, transformer_prefix: prefix };
    this.#metrics.operations.add({ ...labels, status: statusIn(error) });
  }

  arrived(direction: Transformation['type']): void {
    const nowMs = this.#clock.now();
    const lastMs = this.#lastMs.get(direction) ?? nowMs;
    this.#lastMs.set(direction, nowMs);
    this.#metrics.arrivals.observe((nowMs - lastMs) / 1000, { transformation_type: direction });
  }

  usedKey(direction: Transformation['type'], provider: string, hash: string): void {
    const labels = { transformation_type: direction, provider_name: provider, key_id_hash: hash, ...this.#server };
    this.#metrics.keyUses.add(labels);
    this.#metrics.keyUsed.set(this.#seconds(), labels);
    this.#usedKeys.set(Object.values(labels).join(' '), labels);
  }

  namedKey(provider: string, hash: string): void {
    const labels = { provider_name: provider, key_id_hash: hash, ...this.#server };
    this.#metrics.keyNamed.set(this.#seconds(), labels);
    this.#namedKeys.set(Object.values(labels).join(' '), labels);
  }

  reloaded(status: 'success' | 'failure'): void {
    this.#reloads.ended(status, this.#server);
  }

  inUse(hash: string): void {
    this.#reloads.inUse(hash, this.#server);
  }

  #seconds(): number {
    return this.#clock.now() / 1000;
  }
}

/** gRPC's name of the outcome. */
function statusIn(error: unknown): string {
  const known = error instanceof Error && 'grpcStatus' in error ? error.grpcStatus : undefined;
  return typeof known === 'string' ? known : 'unknown-non-grpc';
}

/** The labels of keys that were used last. Keys come and go: the series of those that are forgotten end. */
function recentKeys(metrics: readonly Metric[]): LruMap<string, MetricLabels> {
  return new LruMap(maxKeys, (_id, labels) => {
    for (const metric of metrics) metric.forget(labels);
  });
}
