import type { Registry } from 'prom-client';

/** Metrics in the Prometheus exposition format. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics of a registry, sorted by name as in kube-apiserver. */
export async function expositionOf(registry: Registry): Promise<Exposition> {
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const texts = await Promise.all(names.toSorted().map((name) => registry.getSingleMetricAsString(name)));
  return { contentType: `${registry.contentType}; escaping=underscores`, text: `${texts.join('\n\n')}\n` };
}
