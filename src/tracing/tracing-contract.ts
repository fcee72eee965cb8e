import type { Span, SpanAttributes } from '../api/contracts/span.ts';

/** Traces of requests. */
export interface Tracing {
  /** Begins the trace of a request, or the server's part of one. */
  begin(name: string, options: BeginOptions): Span;
}

export interface BeginOptions {
  /** A header of the request, by lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Whether the user may say that the request belongs to a trace, and that it is recorded. */
  readonly isTrusted: boolean;
  /** Since the epoch. */
  readonly beganMs: number;
  /** Identifies the request in audit logs. */
  readonly auditId: string;
  readonly attributes: SpanAttributes;
}
