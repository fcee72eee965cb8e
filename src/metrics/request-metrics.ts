import type { GroupResource } from '../api/meta/group-version.ts';
import { type MetricDefinition, ObservableMetric } from '../api/metrics/metric.ts';
import type { CatalogueChange } from '../catalogue/catalogue.ts';
import type { Outcome, RequestContext, Stage } from '../http/request/request-context.ts';
import { CountsSinceReset } from './counts-since-reset.ts';
import { exposedAs } from './expose.ts';
import type { ExposedMetric, Exposition } from './exposition.ts';
import type { ExpositionFormat } from './exposition-format.ts';
import { GoneResources } from './gone-resources.ts';
import type { MetricSnapshot, ThreadSnapshot } from './metric-snapshot.ts';
import { overThreads, snapshotOfThread } from './over-threads.ts';
import { exposed } from './part-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { type RequestLabels, runningLabels } from './request-labels.ts';
import { RequestCounters } from './request-counters.ts';

/** Request metrics for `/metrics`. */
export interface RequestMetrics {
  /** Counts incoming and completed requests. */
  readonly stage: Stage;
  /** Counts a request that is refused because there are too many. */
  refused(context: RequestContext): void;
  /** The catalogue has changed. */
  changed(change: CatalogueChange): void;
  /** The contents of `/metrics`. */
  expose(format: ExpositionFormat): Promise<Exposition>;
  /** Counts of all threads begin anew; resolves once `expose` shows it. */
  reset(): Promise<void>;
  /** What a thread adds to the contents of `/metrics`. */
  snapshot(): Promise<readonly MetricSnapshot[]>;
}

export interface RequestMetricsOptions {
  /** Whether the resource and subresource exist: only then is a watch counted, so that clients cannot create series. */
  isKnown(context: RequestContext): boolean;
  /** Other metrics. */
  more(): readonly ExposedMetric[];
  /** The metrics of the other threads; undefined: there are none, or have been none yet. */
  readonly others?: (() => OtherMetrics | undefined) | undefined;
  /** Histograms show their native buckets where the format can. */
  readonly withNative: boolean;
  /** What is shown of all metrics. */
  limit(metrics: readonly ExposedMetric[]): readonly ExposedMetric[];
}

const longRunningRequests: MetricDefinition = {
  name: 'apiserver_longrunning_requests',
  help: 'Running watches.',
  type: 'gauge',
  overThreads: 'sum',
  labelNames: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
};

const requestedDeprecatedApis: MetricDefinition = {
  name: 'apiserver_requested_deprecated_apis',
  help: 'Deprecated APIs that have been requested.',
  type: 'gauge',
  overThreads: 'max',
  labelNames: ['group', 'version', 'resource', 'subresource', 'removed_release'],
};

/** The metrics of threads but for the first one. */
export interface OtherMetrics {
  /** What the first thread is called among them. */
  readonly ownName: string;
  read(): Promise<readonly ThreadSnapshot[]>;
}

/** Running watches with the same labels. */
interface Watches {
  readonly labels: Omit<RequestLabels, 'dry_run'>;
  count: number;
}

/** A deprecated version that has been requested. */
type DeprecatedLabels = Record<'group' | 'version' | 'resource' | 'subresource' | 'removed_release', string>;

/** Metrics are put together when they are first read: neither start-up nor a request waits for it. */
export function requestMetrics(options: RequestMetricsOptions): RequestMetrics {
  const counters = new RequestCounters();
  let all: Promise<readonly ExposedMetric[]> | undefined;
  /** The responses being generated, by content type, shared by concurrent scrapes. */
  const exposing = new Map<string, ReturnType<RequestMetrics['expose']>>();
  const watches = new Map<string, Watches>();
  const deprecated = new Map<string, DeprecatedLabels>();
  const longRunning = new ObservableMetric(longRunningRequests, () =>
    Array.from(watches.values(), ({ labels, count: value }) => ({ labels: { ...labels }, value })),
  );
  const deprecatedApis = new ObservableMetric(requestedDeprecatedApis, () =>
    Array.from(deprecated.values(), (labels) => ({ labels, value: 1 })),
  );
  const made = async (): Promise<readonly ExposedMetric[]> => {
    const own = [...counters.all, longRunning, deprecatedApis].map(exposed);
    return options.limit([...(await processMetrics()), ...own, ...options.more()]);
  };
  const read = (): Promise<readonly ExposedMetric[]> => (all ??= made());
  const readAll = async (): Promise<readonly ExposedMetric[]> => {
    const others = options.others?.();
    return others === undefined ? read() : overThreads(await read(), others.ownName, await others.read());
  };
  const sinceReset = new CountsSinceReset();
  const count = (context: RequestContext, change: number): void => {
    const { info } = context;
    if (info.verb === 'watch' && options.isKnown(context)) countWatch(watches, context, change);
  };
  const gone = new GoneResources((resource) => {
    counters.forget(resource);
    forgetOf(watches, resource, ({ labels }) => labels);
    forgetOf(deprecated, resource, (labels) => labels);
  });
  return {
    changed: (change) => gone.note(change),
    stage: {
      name: 'metrics',
      run: (context) => count(context, 1),
      end(context, outcome: Outcome) {
        count(context, -1);
        if (context.countedAs === undefined) return;
        if (context.removedRelease !== undefined) noteDeprecated(deprecated, context, context.removedRelease);
        counters.count(context, context.countedAs, outcome);
      },
      passedOn: (context) => count(context, -1),
    },
    refused(context) {
      const { info } = context;
      if (!info.isResourceRequest || options.isKnown(context)) counters.countRefused(info, context);
    },
    expose(format) {
      const known = exposing.get(format.contentType);
      if (known !== undefined) return known;
      const made = readAll()
        .then((metrics) => exposedAs(format, sinceReset.of(metrics), options.withNative))
        .finally(() => {
          if (exposing.get(format.contentType) === made) exposing.delete(format.contentType);
        });
      exposing.set(format.contentType, made);
      return made;
    },
    reset: async () => {
      await sinceReset.reset(await readAll());
      // Those that are being written show what was before.
      exposing.clear();
    },
    snapshot: async () => snapshotOfThread(await read()),
  };
}

function forgetOf<T>(
  all: Map<string, T>,
  { group, resource }: GroupResource,
  labelsOf: (value: T) => GroupResource,
): void {
  for (const [id, value] of all) {
    const labels = labelsOf(value);
    if (labels.group === group && labels.resource === resource) all.delete(id);
  }
}

function noteDeprecated(
  deprecated: Map<string, DeprecatedLabels>,
  { info }: Pick<RequestContext, 'info'>,
  removed_release: string,
): void {
  const { group, version, resource, subresource } = info;
  deprecated.set(`${group}/${version}/${resource}/${subresource}`, {
    group,
    version,
    resource,
    subresource,
    removed_release,
  });
}

function countWatch(watches: Map<string, Watches>, context: RequestContext, change: number): void {
  const labels = runningLabels(context);
  const id = idOf(labels);
  const known = watches.get(id);
  if (known === undefined) watches.set(id, { labels, count: change });
  else known.count += change;
}

function idOf({ verb, group, version, resource, subresource, scope }: Watches['labels']): string {
  return `${verb} ${group}/${version}/${resource}/${subresource} ${scope}`;
}
