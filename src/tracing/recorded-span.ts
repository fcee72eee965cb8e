import {
  type Context,
  type Link,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import type { Span, SpanAttributes } from '../api/contracts/span.ts';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

interface SpanOptions {
  readonly name: string;
  readonly kind: keyof typeof kinds;
  readonly attributes?: SpanAttributes;
  /** Since the epoch; absent: now. */
  readonly startTime?: number;
  readonly links?: Link[];
}

/** What all spans of a request share. */
export interface SpanTools {
  readonly tracer: Tracer;
  readonly propagator: TextMapPropagator;
  readonly auditId: string;
}

/** Begins a span of OpenTelemetry below what `parent` has. One that is not recorded still tells others so. */
export function beginSpan(tools: SpanTools, parent: Context, { name, kind, ...options }: SpanOptions): Span {
  const span = tools.tracer.startSpan(name, { ...options, kind: kinds[kind] }, parent);
  return spanOf(trace.setSpan(parent, span), tools);
}

/** The span that a context has, here or in another thread. */
export function spanOf(context: Context, tools: SpanTools): Span {
  const span = trace.getSpan(context);
  const isRecorded = span !== undefined && isSampled(span);
  return isRecorded ? new RecordedSpan(span, context, tools) : new PassedSpan(context, tools);
}

function isSampled(span: OtelSpan): boolean {
  return (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
}

function headersOf(context: Context, { propagator }: SpanTools): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagator.inject(context, headers, {
    set(carrier: Record<string, string>, name, value) {
      carrier[name] = value;
    },
  });
  return headers;
}

class RecordedSpan implements Span {
  readonly #span: OtelSpan;
  readonly #context: Context;
  readonly #tools: SpanTools;

  constructor(span: OtelSpan, context: Context, tools: SpanTools) {
    this.#span = span;
    this.#context = context;
    this.#tools = tools;
  }

  child(name: string, attributes: SpanAttributes = {}, kind: 'client' | 'internal' = 'internal'): Span {
    return beginSpan(this.#tools, this.#context, { name, kind, attributes });
  }

  event(name: string, attributes?: SpanAttributes): void {
    this.#span.addEvent(name, attributes);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }

  get headers(): Readonly<Record<string, string>> {
    return headersOf(this.#context, this.#tools);
  }

  get auditId(): string {
    return this.#tools.auditId;
  }
}

/** A span that nobody records, with all its steps. */
class PassedSpan implements Span {
  readonly #context: Context;
  readonly #tools: SpanTools;

  constructor(context: Context, tools: SpanTools) {
    this.#context = context;
    this.#tools = tools;
  }

  child(): Span {
    return this;
  }

  event(): void {
    // Nobody records it.
  }

  set(): void {
    // Nobody records it.
  }

  fail(): void {
    // Nobody records it.
  }

  end(): void {
    // Nobody records it.
  }

  get headers(): Readonly<Record<string, string>> {
    return headersOf(this.#context, this.#tools);
  }

  get auditId(): string {
    return this.#tools.auditId;
  }
}
