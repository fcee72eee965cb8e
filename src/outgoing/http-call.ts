import type { AgentOptions } from 'node:https';
import { goQuote } from '../api/go-quote.ts';
import { bodyOf } from './answer-body.ts';
import { CallError } from './call-error.ts';
import type { CallAddress, Exchange } from './exchange.ts';
import { CallTransport } from './call-transport.ts';
import { serverNameOf } from './dial.ts';
import { callWords, isResetError } from './call-words.ts';

/** The tenth redirection is not followed. */
const maxCalls = 10;
const redirections: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  /** The URL in errors, if not as above. */
  readonly shownUrl?: string;
  /** Where to connect to, if not to the host of the URL. */
  readonly address?: CallAddress;
  readonly headers?: { readonly [name: string]: string | string[] };
  readonly body?: string;
  readonly timeoutMs: number;
  /** Larger responses fail. */
  readonly maxAnswerBytes: number;
  /** Only the status is needed; the body stays empty. */
  readonly ignoresBody?: boolean;
}

export interface CallAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

/** A call with a response of any length, which lasts until its signal aborts. */
export type StreamCall = Omit<Call, 'maxAnswerBytes' | 'ignoresBody'> & { readonly signal: AbortSignal };

export interface CallerOptions {
  /** Negotiates HTTP/2; absent: HTTP/1.1. */
  readonly http2?: boolean;
}

/** Calls servers over kept connections. `tls`: trusted CAs and client certificate. */
export class HttpCaller {
  readonly #tls: AgentOptions;
  readonly #transport: CallTransport;

  constructor(tls: AgentOptions = {}, { http2 = false }: CallerOptions = {}) {
    this.#tls = tls;
    this.#transport = new CallTransport({ tls, http2 });
  }

  /** Resolves for responses of any status. Throws a CallError. */
  call(call: Call): Promise<CallAnswer> {
    return this.#call(call, verbOf(call));
  }

  /** `verb`: the method's name in errors. */
  async #call(call: Call, verb: string): Promise<CallAnswer> {
    const { timeoutMs, ignoresBody = false, maxAnswerBytes } = call;
    const deadline = new AbortController();
    const { signal } = deadline;
    const timer = setTimeout(() => deadline.abort(new Error(timeoutText)), timeoutMs);
    try {
      const exchange = await this.#transport.send(this.#request(call, signal)).catch((error: Error) => {
        throw callError(call, verb, signal.aborted ? (signal.reason as Error) : error);
      });
      const { status, header, body } = exchange;
      if (!ignoresBody) return { status, header, body: await bodyOf(exchange, { maxBytes: maxAnswerBytes, signal }) };
      // Part of the body may be in transit; it is ignored.
      body.once('error', () => undefined).destroy();
      return { status, header, body: Buffer.alloc(0) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves to a response of any status whose body comes as long as the server sends it, uncompressed. */
  async open({ signal, timeoutMs, ...call }: StreamCall): Promise<Exchange> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(timeoutText)), timeoutMs);
    const request = { ...call, timeoutMs, maxAnswerBytes: Number.POSITIVE_INFINITY };
    try {
      const headers = { ...call.headers, 'accept-encoding': 'identity' };
      return await this.#transport.send(this.#request({ ...request, headers }, AbortSignal.any([signal, late.signal])));
    } catch (error) {
      // Signals are aborted with errors, and transports throw nothing else.
      throw callError(request, verbOf(request), late.signal.aborted ? (late.signal.reason as Error) : (error as Error));
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Like `call`, but follows redirects as Go does: a POST becomes a GET unless the status preserves the method. Headers
   * depend on the URL, because credentials are meant for one host only.
   */
  async follow(call: Call, headersFor: (url: URL) => Call['headers'] = () => call.headers): Promise<CallAnswer> {
    let next = call;
    for (let calls = 1; ; calls += 1) {
      const headers = headersFor(next.url);
      // oxlint-disable-next-line no-await-in-loop -- one answer leads to the next
      const answer = await this.#call(headers === undefined ? next : { ...next, headers }, verbOf(call));
      const location = answer.header('location');
      if (!redirections.has(answer.status) || location === undefined || location === '') return answer;
      if (calls === maxCalls) {
        throw new CallError(`${verbOf(call)} "${location}": stopped after ${maxCalls} redirects`);
      }
      const { method, url: _url, address: _, shownUrl: _shown, body, ...rest } = next;
      const keeps = answer.status >= 307;
      next = {
        ...{ ...rest, url: redirected(next, verbOf(call), location), method: keeps ? method : 'GET' },
        ...(keeps && body !== undefined ? { body } : {}),
      };
    }
  }

  /** Closes idle connections; calls in progress continue. */
  close(): void {
    this.#transport.close();
  }

  #request(call: Call, signal: AbortSignal): Parameters<CallTransport['send']>[0] {
    const { method, url, headers = {}, body } = call;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return {
      ...{ ...addressOf(call), method, body, signal },
      secure: url.protocol === 'https:',
      serverName: serverNameOf(this.#tls.servername ?? hostOf(url)),
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, 'accept-encoding': 'gzip', ...headers, ...length },
    };
  }
}

/** The error of a call that takes longer than it may. */
export function lateCall(call: Call): CallError {
  return callError(call, verbOf(call), new Error(timeoutText));
}

const timeoutText = 'context deadline exceeded';

const schemes: ReadonlySet<string> = new Set(['http:', 'https:']);

function redirected({ url, shownUrl = url.href }: Call, verb: string, location: string): URL {
  if (!URL.canParse(location, url)) {
    throw new CallError(`${verb} "${shownUrl}": failed to parse Location header ${goQuote(location)}: invalid URL`);
  }
  const target = new URL(location, url);
  if (schemes.has(target.protocol)) return target;
  const scheme = goQuote(target.protocol.slice(0, -1));
  throw new CallError(`${verb} "${target.href}": unsupported protocol scheme ${scheme}`);
}

function addressOf({ url, address }: Call): CallAddress {
  return address ?? { host: hostOf(url), port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443) };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The verb in the errors of Go's client. */
function verbOf({ method }: Call): string {
  return `${method[0]}${method.slice(1).toLowerCase()}`;
}

function callError(call: Call, verb: string, error: Error): CallError {
  const isReset = isResetError(error);
  return new CallError(`${verb} "${call.shownUrl ?? call.url.href}": ${callWords(error, addressOf(call))}`, {
    isReset,
    cause: error,
  });
}
