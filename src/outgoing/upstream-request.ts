import type { Readable, Writable } from 'node:stream';
import type { Endpoint } from './dial.ts';

export interface UpstreamCall extends Endpoint {
  readonly method: string;
  /** Percent-encoded path and query. */
  readonly target: string;
  /** The Host header. */
  readonly authority: string;
  /** Names and values, sent as they are; without `Host` and the headers of one connection. */
  readonly headers: readonly string[];
  /** Bytes: all of it. Otherwise the caller writes and ends it. Headers contain its length, unless it is `streamed`. */
  readonly body: 'none' | 'sized' | 'streamed' | Uint8Array;
}

/** Trailers by lower-case name. */
export type Trailers = NodeJS.Dict<string | string[]>;

/** A request that has been sent, except for its body. */
export interface SentRequest {
  /** Rejects if there is none; with an UnansweredRequest if the request may be sent again. */
  readonly response: Promise<UpstreamResponse>;
  readonly body: Writable;
  /** Trailers follow the body if the protocol has room for them. To be called before the body ends. */
  addTrailers(trailers: Trailers): void;
  /** All of the answer has been read; the connection is used again. */
  finish(): void;
  /** Gives up what has not arrived. */
  leave(error?: Error): void;
}

/** A response, from its beginning on. */
export interface UpstreamResponse {
  readonly status: number;
  /** Names and values, without pseudo-headers. */
  readonly rawHeaders: readonly string[];
  header(name: string): string | undefined;
  readonly body: Readable;
  /** The body, if all of it is there before anyone reads it: without a stream, which takes much more time. */
  whole(): Buffer | undefined;
  /** Why the body is incomplete, if it is, by the time it ends. */
  failure(): Error | undefined;
  /** Complete when the body has ended. */
  rawTrailers(): readonly string[];
}

/** The size limit of the head of an answer. Node's default is too small for some servers. */
export const maxHeadBytes = 1024 * 1024;

/** Streams that a server is assumed to take at a time until its settings arrive; as in the reference. */
export const initialStreams = 100;

/** The server closed a kept connection when the request was sent over it, or did not want it yet. */
export class UnansweredRequest extends Error {
  override readonly name = 'UnansweredRequest';
  readonly code = 'UNANSWERED';
  /** The server has not begun to process the request. */
  readonly isUnseen: boolean;

  constructor(message: string, { isUnseen, ...options }: ErrorOptions & { readonly isUnseen: boolean }) {
    super(message, options);
    this.isUnseen = isUnseen;
  }
}
