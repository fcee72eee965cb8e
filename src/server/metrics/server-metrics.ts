import type { Metric } from '../../api/metrics/metric.ts';
import { Catalogue } from '../../catalogue/catalogue.ts';
import { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import type { ServerConfig } from '../config.ts';
import { ServerLog } from '../logging/server-log.ts';
import type { NamedCache } from '../../scopes/open-kind.ts';
import { ResourceScopes } from '../../scopes/resource-scopes.ts';
import type { Store } from '../store/store.ts';
import { storageMetrics } from './storage-metrics.ts';
import { type OtherMetrics, type RequestMetrics, requestMetrics } from '../../metrics/request-metrics.ts';
import { limitedMetrics, type MetricLimits } from '../../metrics/metric-limits.ts';
import { exposed } from '../../metrics/part-metrics.ts';
import { buildMetrics } from './build-metrics.ts';
import { watchCacheMetrics } from '../../metrics/watch-cache-metrics.ts';

export interface MetricsParts {
  readonly catalogue: LiveCatalogue;
  readonly scopes: ResourceScopes;
  readonly store: Store;
  readonly log: ServerLog;
  readonly partMetrics: readonly Metric[];
  readonly limits: MetricLimits;
  readonly otherMetrics: (() => OtherMetrics | undefined) | undefined;
}

/** The metrics of a server, which follow its catalogue. */
export function serverMetrics(
  { api, storage }: ServerConfig,
  { catalogue, scopes, store, partMetrics, limits, otherMetrics }: MetricsParts,
): RequestMetrics {
  const { prefix, countIntervalMs, sizeIntervalMs } = storage;
  const metrics = requestMetrics({
    isKnown: isServed,
    more() {
      const caches = (): readonly NamedCache[] => scopes.caches();
      const watchCaches = watchCacheMetrics(caches, gatesByConfig(api));
      const own = [...watchCaches, ...partMetrics, ...(store.metrics ?? []), ...buildMetrics(api)].map(exposed);
      const now = (): number => performance.now();
      const served = (): Catalogue => scopes.now.catalogue;
      return [...own, ...storageMetrics({ store, served, caches, prefix, countIntervalMs, sizeIntervalMs, now })];
    },
    withNative: gatesByConfig(api).get('NativeHistograms') === true,
    others: otherMetrics,
    limit: (all) => limitedMetrics(all, limits),
  });
  catalogue.subscribe((change) => metrics.changed(change));
  return metrics;
}

/** A watch is counted by the catalogue it started with. */
function isServed({ info, kinds }: Pick<RequestContext, 'info' | 'kinds'>): boolean {
  const { group, version, resource, subresource } = info;
  const found = kinds.scopeOf(group, version, resource)?.resource;
  return found !== undefined && (subresource === '' || found.subresources.some(({ name }) => name === subresource));
}
