import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, type Tracer, trace } from '@opentelemetry/api';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { waitAtMost } from '../api/time/deadline.ts';
import { followSpans, type Span, type SpanOrigin } from '../api/contracts/span.ts';
import { collectorTarget } from './collector-target.ts';
import { beginSpan, spanOf } from './recorded-span.ts';
import { CollectorExporter } from './span-exporter.ts';
import { parseTracingConfiguration } from './tracing-configuration.ts';
import type { BeginOptions, Tracing } from './tracing-contract.ts';

/** How long the end of the server waits for a collector to take the last spans. */
const flushMs = 2_000;

/** The sender of spans. */
export interface TracingSource {
  readonly serverId: string;
  /** Undefined: the only one of the process. */
  readonly threadName?: string | undefined;
}

/** Sends traces to a collector, by OTLP over gRPC, until it is disposed of. Throws a ConfigError. */
export async function openTracing(
  configuration: string,
  { serverId, threadName }: TracingSource,
): Promise<Tracing & AsyncDisposable> {
  const { endpoint, samplingRatePerMillion } = await parseTracingConfiguration(configuration);
  const exporter = new CollectorExporter(collectorTarget(endpoint ?? undefined));
  const rate = (samplingRatePerMillion ?? 0) / 1e6;
  const provider = new TracerProvider({
    // Who sends a traced request decides; of others as many as are wanted.
    sampler: new ParentBasedSampler({ root: rate > 0 ? new TraceIdRatioBasedSampler(rate) : new AlwaysOffSampler() }),
    spanProcessors: [
      ...(threadName === undefined ? [] : [namingThread(threadName)]),
      new BatchSpanProcessor({ exporter }),
    ],
    resource: resourceFromAttributes({ 'service.name': 'apiserver', 'service.instance.id': serverId }),
  });
  const tracing = new ExportedTracing(provider);
  followSpans(
    () => new AsyncLocalStorage(),
    (origin) => tracing.from(origin),
  );
  return tracing;
}

/** Every span tells which thread has begun it, by OpenTelemetry's attribute for that. */
function namingThread(name: string): SpanProcessor {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    onStart: (span) => void span.setAttribute('thread.name', name),
    onEnd: () => undefined,
    forceFlush: nothing,
    shutdown: nothing,
  };
}

class ExportedTracing implements Tracing, AsyncDisposable {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  constructor(provider: TracerProvider) {
    this.#provider = provider;
    this.#tracer = provider.getTracer('binnacle');
  }

  begin(name: string, { header, isTrusted, beganMs, auditId, attributes }: BeginOptions): Span {
    const sent = propagator.extract(ROOT_CONTEXT, header, headerGetter);
    const remote = trace.getSpanContext(sent);
    // Whom the server does not trust with its collector begins a trace of the server's own.
    const parent = isTrusted ? sent : trace.deleteSpan(sent);
    const links = isTrusted || remote === undefined ? [] : [{ context: remote }];
    const tools = { tracer: this.#tracer, propagator, auditId };
    const all = { ...attributes, 'audit-id': auditId };
    return beginSpan(tools, parent, { name, kind: 'server', attributes: all, startTime: beganMs, links });
  }

  /** A step that another thread has begun, and ends. */
  from({ headers, auditId }: SpanOrigin): Span {
    const context = propagator.extract(ROOT_CONTEXT, (name: string) => headers[name], headerGetter);
    return spanOf(context, { tracer: this.#tracer, propagator, auditId });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A collector that is gone keeps nothing from stopping.
    await waitAtMost(
      flushMs,
      this.#provider.shutdown().catch(() => undefined),
    );
  }
}

type Header = BeginOptions['header'];

const propagator = new CompositePropagator({
  propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
});

const headerGetter = {
  keys: (): string[] => [],
  get: (header: Header, name: string): string | undefined => header(name),
};
