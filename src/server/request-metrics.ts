import type { Clock } from '../api/clock.ts';
import type { RequestContext } from '../http/request-context.ts';

/** Counts requests for `/metrics`. */
export interface RequestMetrics {
  begin(context: RequestContext): void;
  finish(context: RequestContext): void;
  /** The text of `/metrics` (Prometheus exposition format). */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface Finished {
  readonly labels: RequestLabels;
  readonly code: string;
  readonly seconds: number;
}

type RequestLabels = Record<
  'verb' | 'dry_run' | 'group' | 'version' | 'resource' | 'subresource' | 'scope' | 'component',
  string
>;

const maxBuffered = 10_000;
const durationBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/**
 * Counts go into a buffer and from there to the library, which is loaded when the buffer is full or somebody reads the metrics:
 * neither start-up nor a request waits for it.
 */
export function requestMetrics(clock: Clock, onError: (error: unknown) => void): RequestMetrics {
  let buffer: Finished[] = [];
  let inflight = { mutating: 0, readOnly: 0 };
  let library: Promise<Awaited<ReturnType<typeof loadLibrary>>> | undefined;
  const drain = async (): Promise<Awaited<ReturnType<typeof loadLibrary>>> => {
    library ??= loadLibrary();
    const loaded = await library;
    const finished = buffer;
    buffer = [];
    for (const { labels, code, seconds } of finished) loaded.record(labels, code, seconds);
    return loaded;
  };
  const count = (context: RequestContext, change: number): void => {
    if (isMutating(context)) inflight = { ...inflight, mutating: inflight.mutating + change };
    else inflight = { ...inflight, readOnly: inflight.readOnly + change };
  };
  return {
    begin: (context) => count(context, 1),
    finish(context) {
      if (!context.hasInfo) return;
      count(context, -1);
      buffer.push({
        labels: labelsOf(context),
        code: String(context.responseCode),
        seconds: (clock.now() - context.receivedMs) / 1000,
      });
      if (buffer.length >= maxBuffered) drain().catch(onError);
    },
    async expose() {
      const loaded = await drain();
      return loaded.expose(inflight);
    },
  };
}

async function loadLibrary() {
  // A CommonJS library: bundled, it has its default export alone.
  const { default: prometheus } = await import('prom-client');
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = prometheus;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const names = ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;
  const registers = [registry];
  const total = new Counter({
    name: 'apiserver_request_total',
    help: 'Requests by verb, resource and response code.',
    labelNames: [...names, 'code'],
    registers,
  });
  const duration = new Histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Seconds from the arrival of a request to the end of its answer.',
    labelNames: names,
    buckets: durationBuckets,
    registers,
  });
  const current = new Gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Requests under way.',
    labelNames: ['request_kind'] as const,
    registers,
  });
  return {
    record(labels: RequestLabels, code: string, seconds: number) {
      total.inc({ ...labels, code });
      if (labels.verb !== 'WATCH') duration.observe(labels, seconds);
    },
    async expose({ mutating, readOnly }: { readonly mutating: number; readonly readOnly: number }) {
      current.set({ request_kind: 'mutating' }, mutating);
      current.set({ request_kind: 'readOnly' }, readOnly);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

const mutatingVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

function isMutating({ info }: RequestContext): boolean {
  return mutatingVerbs.has(info.verb);
}

const verbNames: { readonly [verb: string]: string } = {
  create: 'POST',
  update: 'PUT',
  deletecollection: 'DELETECOLLECTION',
};

function labelsOf({ info, query }: RequestContext): RequestLabels {
  return {
    verb: verbNames[info.verb] ?? info.verb.toUpperCase(),
    dry_run: query.getAll('dryRun').join(','),
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.isResourceRequest ? info.subresource : '',
    scope: scopeName(info),
    component: 'apiserver',
  };
}

function scopeName({ isResourceRequest, name, namespace, verb }: RequestContext['info']): string {
  if (!isResourceRequest) return '';
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
