import type { AsyncLocalStorage } from 'node:async_hooks';

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A step of a traced request (opentelemetry.io, "Traces"). */
export interface Span {
  /** Begins a step of this one. `client`: it is a call to another server. */
  child(name: string, attributes?: SpanAttributes, kind?: 'client'): Span;
  /** Notes a point in time. */
  event(name: string, attributes?: SpanAttributes): void;
  set(attributes: SpanAttributes): void;
  /** The step has failed; it still has to end. */
  fail(): void;
  end(): void;
  /** Identifies the request in audit logs. */
  readonly auditId: string;
  /** What tells another server which trace a request belongs to (W3C, "Trace Context"). */
  readonly headers: Readonly<Record<string, string>>;
}

/** What another thread of the process needs to know of a step that goes on there. */
export type SpanOrigin = Pick<Span, 'headers' | 'auditId'>;

/** The step in which code runs. */
interface SpanPlace {
  span: Span | undefined;
}

/** Undefined until a server of this process traces: what is not traced pays for a look at it. */
let places: AsyncLocalStorage<SpanPlace> | undefined;

/** Makes a span of a step of another thread. */
let fromOrigin: ((origin: SpanOrigin) => Span) | undefined;

/** Makes what runs known by `storage`, of which a thread has one. */
export function followSpans(storage: () => AsyncLocalStorage<SpanPlace>, spanFrom: (origin: SpanOrigin) => Span): void {
  places ??= storage();
  fromOrigin = spanFrom;
}

/** The step that runs; undefined: it is not traced. */
export function currentSpan(): Span | undefined {
  return places?.getStore()?.span;
}

/** Runs something, of which the step that it belongs to is yet to be entered. */
export function withSpanPlace<T>(run: () => T): T {
  return places === undefined ? run() : places.run({ span: undefined }, run);
}

/** Runs something that outlasts the step that runs, and does not belong to it. */
export const outsideSpans = withSpanPlace;

/** What runs from now on in this place belongs to the step. */
export function enterSpan(span: Span): void {
  const place = places?.getStore();
  if (place !== undefined) place.span = span;
}

/** Runs something that belongs to a step of another thread. */
export function inSpanFrom<T>(origin: SpanOrigin | undefined, run: () => T): T {
  if (origin === undefined || places === undefined) return run();
  return places.run({ span: fromOrigin?.(origin) }, run);
}

/** Runs something as a step, which ends with it. */
export async function inSpan<T>(span: Span, run: () => Promise<T>): Promise<T> {
  try {
    return await (places === undefined ? run() : places.run({ span }, run));
  } finally {
    span.end();
  }
}
