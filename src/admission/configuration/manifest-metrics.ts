import { keptBy } from '../../api/collections/kept-by.ts';
import { hashOf } from '../../api/metrics/hash-label.ts';
import type { MetricLabels } from '../../api/metrics/metric.ts';
import { ReloadMetrics, serverLabel } from '../../api/metrics/reload-metrics.ts';
import type { PartContext, TextFile } from '../../api/contracts/part.ts';

/** Shared by all plugins. */
const metricsOf = keptBy(
  (context: Pick<PartContext, 'metric' | 'clock'>) =>
    new ReloadMetrics(context, {
      prefix: 'apiserver_manifest_admission_config_controller',
      what: 'the admission manifests of a plugin',
      labelNames: ['plugin'],
    }),
);

/** Metrics of the manifests of one plugin; the first load counts as a reload. */
export class ManifestMetrics {
  readonly #metrics: ReloadMetrics;
  readonly #labels: MetricLabels;

  constructor(context: Pick<PartContext, 'metric' | 'clock'>, plugin: string, serverId: string) {
    this.#metrics = metricsOf(context);
    this.#labels = { plugin, ...serverLabel(serverId) };
  }

  succeeded(hash: string): void {
    this.#metrics.ended('success', this.#labels);
    this.#metrics.inUse(hash, this.#labels);
  }

  failed(): void {
    this.#metrics.ended('failure', this.#labels);
  }
}

/** Empty if there is nothing in them. */
export function contentHash(files: readonly TextFile[]): string {
  const texts = files.filter(({ text }) => text !== '').map(({ text }) => `${text}\0`);
  return texts.length === 0 ? '' : hashOf(texts.join(''));
}
