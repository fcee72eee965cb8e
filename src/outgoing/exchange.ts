import type { Readable } from 'node:stream';

/** Where to connect to. */
export interface CallAddress {
  readonly host: string;
  readonly port: number;
}

export interface TransportRequest extends CallAddress {
  readonly secure: boolean;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** With `host`, unlike HTTP/2. */
  readonly headers: { readonly [name: string]: string | string[] };
  readonly serverName: string;
  readonly body: string | undefined;
  /** Ends the exchange, at any point. */
  readonly signal: AbortSignal;
}

/** A response whose body has yet to be read. */
export interface Exchange {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Readable;
  /** Why the body is incomplete, if that is known by the time it ends. */
  readonly failure: () => Error | undefined;
}
