import type { Registry as PrometheusRegistry } from 'prom-client';
import type { Outcome, RequestContext, Stage } from '../../http/request/request-context.ts';
import { Measure } from '../../api/measure.ts';
import { Turns } from '../../api/turns.ts';
import { type Exposition, expositionOf, metricsOf } from './exposition.ts';
import { addPartMetrics } from './part-metrics.ts';
import { type RequestLabels, requestLabels } from './request-labels.ts';

/** Request metrics for `/metrics`. */
export interface RequestMetrics {
  /** Counts incoming and completed requests. */
  readonly stage: Stage;
  /** The contents of `/metrics`. */
  expose(): Promise<Exposition>;
}

export interface RequestMetricsOptions {
  /**
   * Whether the resource and subresource exist: only then is the request counted, so that clients cannot create series.
   */
  isKnown(context: RequestContext): boolean;
  /** Adds other metrics. */
  addMetrics(registry: PrometheusRegistry): Promise<void>;
  /** Called once all metrics are registered. */
  limit(registry: PrometheusRegistry): void;
  onError(error: unknown): void;
}

/** Requests with the same labels, not yet passed to the library. */
interface Series {
  readonly labels: RequestLabels;
  readonly counts: Map<number, number>;
  readonly seconds: number[];
}

/** Running watches with the same labels. */
interface Watches {
  readonly labels: Omit<RequestLabels, 'dry_run'>;
  count: number;
}

/** A deprecated version that has been requested. */
type DeprecatedLabels = Record<'group' | 'version' | 'resource' | 'subresource' | 'removed_release', string>;

const maxBuffered = 10_000;
const durationBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/**
 * Counts are collected here and passed on to the library, which is imported when there are many or when metrics are
 * read: neither start-up nor a request waits for it.
 */
export function requestMetrics(options: RequestMetricsOptions): RequestMetrics {
  const pending = new Map<string, Series>();
  let buffered = 0;
  const inflight = { mutating: 0, readOnly: 0 };
  let library: Promise<Awaited<ReturnType<typeof loadLibrary>>> | undefined;
  const drain = async (): Promise<Awaited<ReturnType<typeof loadLibrary>>> => {
    library ??= loadLibrary(options);
    const loaded = await library;
    const finished = [...pending.values()];
    pending.clear();
    buffered = 0;
    const turns = new Turns();
    for (const series of finished) {
      loaded.record(series);
      // oxlint-disable-next-line no-await-in-loop -- other work has its turn
      if (turns.isOver) await turns.next();
    }
    return loaded;
  };
  /** The response being generated, shared by concurrent scrapes. */
  let exposing: ReturnType<RequestMetrics['expose']> | undefined;
  const watches = new Map<string, Watches>();
  const deprecated = new Map<string, DeprecatedLabels>();
  const count = (context: RequestContext, change: number): void => {
    const { info } = context;
    if (info.verb !== 'watch') inflight[isMutating(context) ? 'mutating' : 'readOnly'] += change;
    else if (options.isKnown(context)) countWatch(watches, context, change);
  };
  return {
    stage: {
      name: 'metrics',
      run: (context) => count(context, 1),
      end(context, { code, durationMs }: Outcome) {
        count(context, -1);
        if (context.info.isResourceRequest && !options.isKnown(context)) return;
        if (context.removedRelease !== undefined) noteDeprecated(deprecated, context, context.removedRelease);
        const { counts, seconds } = seriesOf(pending, context);
        counts.set(code, (counts.get(code) ?? 0) + 1);
        seconds.push(durationMs / 1000);
        buffered += 1;
        if (buffered >= maxBuffered) drain().catch((error: unknown) => options.onError(error));
      },
    },
    expose() {
      exposing ??= drain()
        .then((loaded) => loaded.expose(inflight, [...watches.values()], [...deprecated.values()]))
        .finally(() => (exposing = undefined));
      return exposing;
    },
  };
}

function noteDeprecated(
  deprecated: Map<string, DeprecatedLabels>,
  { info }: Pick<RequestContext, 'info'>,
  removed_release: string,
): void {
  const { group, version, resource, subresource } = info;
  deprecated.set(`${group}/${version}/${resource}/${subresource}`, {
    ...{ group, version, resource, subresource, removed_release },
  });
}

function countWatch(watches: Map<string, Watches>, context: RequestContext, change: number): void {
  const { dry_run: _, ...labels } = requestLabels(context);
  const id = idOf(labels);
  const known = watches.get(id);
  if (known === undefined) watches.set(id, { labels, count: change });
  else known.count += change;
}

function seriesOf(pending: Map<string, Series>, context: RequestContext): Series {
  const labels = requestLabels(context);
  const id = `${idOf(labels)} ${labels.dry_run}`;
  let series = pending.get(id);
  if (series === undefined) {
    series = { labels, counts: new Map(), seconds: [] };
    pending.set(id, series);
  }
  return series;
}

function idOf({ verb, group, version, resource, subresource, scope }: Watches['labels']): string {
  return `${verb} ${group}/${version}/${resource}/${subresource} ${scope}`;
}

const requestLabelNames = ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'];
const requestTotal = { name: 'apiserver_request_total', help: 'Requests by verb, resource and response code.' };
const requestDuration = {
  name: 'apiserver_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its response, in seconds.',
};

async function loadLibrary({ addMetrics, limit }: Pick<RequestMetricsOptions, 'addMetrics' | 'limit'>) {
  // Bundled CommonJS libraries only have a default export.
  const { default: prometheus } = await import('prom-client');
  const { Gauge, Registry, collectDefaultMetrics } = prometheus;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const total = new Measure({ ...requestTotal, type: 'counter', labelNames: [...requestLabelNames, 'code'] });
  const duration = new Measure({
    ...{ ...requestDuration, type: 'histogram', labelNames: requestLabelNames },
    buckets: durationBuckets,
  });
  addPartMetrics(registry, [total, duration]);
  await addMetrics(registry);
  const longRunning = new Gauge({
    name: 'apiserver_longrunning_requests',
    help: 'Running watches.',
    labelNames: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const,
    registers,
  });
  const current = new Gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Running requests.',
    labelNames: ['request_kind'] as const,
    registers,
  });
  const deprecatedApis = new Gauge({
    name: 'apiserver_requested_deprecated_apis',
    help: 'Deprecated APIs that have been requested.',
    labelNames: ['group', 'version', 'resource', 'subresource', 'removed_release'] as const,
    registers,
  });
  limit(registry);
  return {
    record({ labels, counts, seconds }: Series) {
      for (const [code, count] of counts) total.counter({ ...labels, code: String(code) })(count);
      if (labels.verb === 'WATCH') return;
      const observe = duration.observer(labels);
      for (const value of seconds) observe(value);
    },
    async expose(
      { mutating, readOnly }: { readonly mutating: number; readonly readOnly: number },
      watches: readonly Watches[],
      deprecated: readonly DeprecatedLabels[],
    ) {
      for (const labels of deprecated) deprecatedApis.set(labels, 1);
      for (const { labels, count } of watches) longRunning.set(labels, count);
      current.set({ request_kind: 'mutating' }, mutating);
      current.set({ request_kind: 'readOnly' }, readOnly);
      return expositionOf(metricsOf(registry));
    },
  };
}

function isMutating({ verb, info }: RequestContext): boolean {
  return verb?.isMutating ?? info.verb !== 'get';
}
