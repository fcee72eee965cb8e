import { createHash } from 'node:crypto';
import { keptBy } from '../../api/collections/kept-by.ts';
import type { Metric } from '../../api/metrics/metric.ts';
import type { PartContext, TextFile } from '../../api/contracts/part.ts';

const prefix = 'apiserver_manifest_admission_config_controller';
const labelNames = ['status', 'plugin', 'apiserver_id_hash'];

interface ManifestSeries {
  readonly reloads: Metric;
  readonly last: Metric;
  readonly info: Metric;
}

/** Shared by all plugins. */
const seriesOf = keptBy(({ metric }: Pick<PartContext, 'metric'>): ManifestSeries => ({
  reloads: metric({
    name: `${prefix}_automatic_reloads_total`,
    type: 'counter',
    labelNames,
    help: 'Automatic reloads of admission manifests.',
  }),
  last: metric({
    name: `${prefix}_automatic_reload_last_timestamp_seconds`,
    type: 'gauge',
    overThreads: 'max',
    labelNames,
    help: 'Time of the last automatic reload of admission manifests.',
  }),
  info: metric({
    name: `${prefix}_last_config_info`,
    type: 'gauge',
    overThreads: 'first',
    labelNames: ['plugin', 'apiserver_id_hash', 'hash'],
    help: 'Hash of the admission manifests in use.',
  }),
}));

/** Metrics of the manifests of one plugin; the first load counts as a reload. */
export class ManifestMetrics {
  readonly #context: Pick<PartContext, 'metric' | 'clock'>;
  readonly #labels: { readonly plugin: string; readonly apiserver_id_hash: string };

  constructor(context: Pick<PartContext, 'metric' | 'clock'>, plugin: string, serverId: string) {
    this.#context = context;
    this.#labels = { plugin, apiserver_id_hash: hashOf(serverId) };
  }

  succeeded(hash: string): void {
    this.#count('success');
    const { info } = seriesOf(this.#context);
    info.forget(this.#labels);
    info.set(1, { ...this.#labels, hash });
  }

  failed(): void {
    this.#count('failure');
  }

  #count(status: 'success' | 'failure'): void {
    const { reloads, last } = seriesOf(this.#context);
    reloads.add({ status, ...this.#labels });
    last.set(this.#context.clock.now() / 1_000, { status, ...this.#labels });
  }
}

/** Empty if there is nothing in them. */
export function contentHash(files: readonly TextFile[]): string {
  const texts = files.filter(({ text }) => text !== '').map(({ text }) => `${text}\0`);
  return texts.length === 0 ? '' : hashOf(texts.join(''));
}

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
