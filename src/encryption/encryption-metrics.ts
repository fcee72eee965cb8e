import type { Clock } from '../api/time/clock.ts';
import type { Metric, MetricDefinition } from '../api/metrics/metric.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { Transformation, TransformationUse } from '../storage/encryption/prefixed.ts';
import { hashOf } from './hash-label.ts';

const storage = 'apiserver_storage';
const envelope = 'apiserver_envelope_encryption';
const reloads = 'apiserver_encryption_config_controller';

const exponential = (start: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => start * 2 ** index);

const byKey = ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'];

const definitions = {
  seconds: {
    name: `${storage}_transformation_duration_seconds`,
    type: 'histogram',
    buckets: exponential(5e-6, 25),
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
    buckets: exponential(5e-6, 14),
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
    buckets: exponential(60, 10),
    help: 'Time between two values read or written with plugins of the first version, in seconds.',
    labelNames: ['transformation_type'],
  },
  callSeconds: {
    name: `${envelope}_kms_operations_latency_seconds`,
    type: 'histogram',
    buckets: exponential(1e-4, 20),
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
  keyTold: {
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
  reloads: {
    name: `${reloads}_automatic_reloads_total`,
    type: 'counter',
    labelNames: ['status', 'apiserver_id_hash'],
    help: 'How often the encryption configuration was read again.',
  },
  reloaded: {
    name: `${reloads}_automatic_reload_last_timestamp_seconds`,
    type: 'gauge',
    overThreads: 'max',
    help: 'When the encryption configuration was last read again.',
    labelNames: ['status', 'apiserver_id_hash'],
  },
  inUse: {
    name: `${reloads}_last_config_info`,
    type: 'gauge',
    overThreads: 'first',
    labelNames: ['apiserver_id_hash', 'hash'],
    help: 'Which encryption configuration is in use.',
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
  readonly #server: { readonly apiserver_id_hash: string };
  readonly #usedKeys = new Map<string, { readonly [label: string]: string }>();
  readonly #toldKeys = new Map<string, { readonly [label: string]: string }>();
  readonly #lastMs = new Map<string, number>();

  constructor({ clock, metric, serverId }: MetricsOptions) {
    const made = Object.entries(definitions).map(([name, definition]) => [name, metric(definition)]);
    this.#metrics = Object.fromEntries(made) as { readonly [name in Name]: Metric }; // of all definitions
    this.#clock = clock;
    this.#server = { apiserver_id_hash: hashOf(serverId) };
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
    forgetOldest(this.#usedKeys, labels, [this.#metrics.keyUses, this.#metrics.keyUsed]);
  }

  toldKey(provider: string, hash: string): void {
    const labels = { provider_name: provider, key_id_hash: hash, ...this.#server };
    this.#metrics.keyTold.set(this.#seconds(), labels);
    forgetOldest(this.#toldKeys, labels, [this.#metrics.keyTold]);
  }

  reloaded(status: 'success' | 'failure'): void {
    this.#metrics.reloads.add({ status, ...this.#server });
    this.#metrics.reloaded.set(this.#seconds(), { status, ...this.#server });
  }

  inUse(hash: string): void {
    this.#metrics.inUse.forget(this.#server);
    this.#metrics.inUse.set(1, { ...this.#server, hash });
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

/** Keys come and go: the series of those that have not been used for the longest time end. */
function forgetOldest(
  known: Map<string, { readonly [label: string]: string }>,
  labels: { readonly [label: string]: string },
  metrics: readonly Metric[],
): void {
  const id = Object.values(labels).join(' ');
  known.delete(id);
  known.set(id, labels);
  const [oldest] = known;
  if (known.size <= maxKeys || oldest === undefined) return;
  known.delete(oldest[0]);
  for (const metric of metrics) metric.forget(oldest[1]);
}
