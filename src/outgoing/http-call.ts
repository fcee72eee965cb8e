import { type Log, logSite, noLog } from '../api/contracts/log.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { currentSpan, inSpan, type Span } from '../api/contracts/span.ts';
import { bodyOf } from './response-body.ts';
import type { CallAddress } from './call-address.ts';
import { CallError } from './call-error.ts';
import { callWords, isResetError } from './call-words.ts';
import { OutgoingRequest } from './outgoing-request.ts';
import type { Upstream } from './upstream.ts';
import type { UpstreamResponse, UpstreamCall } from './upstream-request.ts';

const site = logSite('outgoing/http-call.ts');
const verbosity = 6;

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
  readonly headers?: { readonly [name: string]: string | readonly string[] };
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  /** Larger responses fail. */
  readonly maxResponseBytes: number;
  /** Only the status is needed; the body stays empty. */
  readonly ignoresBody?: boolean;
}

export interface CallResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

/** A call with a response of any length, which lasts until its signal aborts. */
export type StreamCall = Omit<Call, 'maxResponseBytes' | 'ignoresBody' | 'body'> & { readonly signal: AbortSignal };

/** A response whose body is still coming. */
export interface OpenResponse {
  readonly request: OutgoingRequest;
  readonly response: UpstreamResponse;
}

/** Calls servers, and waits for all of their answers. */
export class HttpCaller {
  readonly #upstream: Upstream;
  readonly #log: Log;
  readonly #running = new Set<OutgoingRequest>();
  #isEnded = false;

  constructor(upstream: Upstream, log: Log = noLog) {
    this.#upstream = upstream;
    this.#log = log;
  }

  /** Resolves for responses of any status. Throws a CallError. */
  call(call: Call): Promise<CallResponse> {
    return this.#call(call, verbOf(call));
  }

  /** `verb`: the method's name in errors. */
  #call(call: Call, verb: string): Promise<CallResponse> {
    const above = currentSpan();
    return above === undefined ? this.#send(call, verb) : this.#sendInTrace(call, verb, above);
  }

  async #sendInTrace(call: Call, verb: string, above: Span): Promise<CallResponse> {
    const { host, port } = addressOf(call);
    const attributes = { 'http.request.method': call.method, 'url.full': call.url.href };
    const span = above.child(
      `HTTP ${call.method}`,
      { ...attributes, 'server.address': host, 'server.port': port },
      'client',
    );
    return inSpan(span, async () => {
      try {
        const response = await this.#send({ ...call, headers: { ...call.headers, ...span.headers } }, verb);
        span.set({ 'http.response.status_code': response.status });
        if (response.status >= 400) span.fail();
        return response;
      } catch (error) {
        span.fail();
        throw error;
      }
    });
  }

  async #send(call: Call, verb: string): Promise<CallResponse> {
    const { timeoutMs, ignoresBody = false, maxResponseBytes } = call;
    const beganMs = this.#log.enabled(verbosity, site) ? performance.now() : undefined;
    const request = new OutgoingRequest({ upstream: this.#upstream, call: requestOf(call) });
    const timer = setTimeout(() => request.leave(timeoutText), timeoutMs);
    this.#running.add(request);
    if (this.#isEnded) request.leave(endText);
    try {
      const response = await request.response().catch((error: Error) => {
        throw callError(call, verb, error);
      });
      const { status } = response;
      if (beganMs !== undefined) this.#answered(call, status, beganMs);
      const header = (name: string): string | undefined => response.header(name);
      if (ignoresBody) {
        request.leave();
        return { status, header, body: Buffer.alloc(0) };
      }
      const body = await bodyOf(response, { maxBytes: maxResponseBytes, request });
      request.finish();
      return { status, header, body };
    } finally {
      clearTimeout(timer);
      this.#running.delete(request);
    }
  }

  /** Resolves to a response of any status whose body comes as long as the server sends it, uncompressed. */
  async open({ signal, ...call }: StreamCall): Promise<OpenResponse> {
    const headers = { ...call.headers, 'accept-encoding': 'identity' };
    const request = new OutgoingRequest({ upstream: this.#upstream, call: requestOf({ ...call, headers }) });
    // Aborted with an error.
    const abort = (): void => request.leave((signal.reason as Error).message);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const timer = setTimeout(() => request.leave(timeoutText), call.timeoutMs);
    try {
      const response = await request.response();
      response.body.once('close', () => signal.removeEventListener('abort', abort));
      return { request, response };
    } catch (error) {
      signal.removeEventListener('abort', abort);
      throw callError(call, verbOf(call), error as Error); // connections throw nothing else
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Like `call`, but follows redirects as Go does: a POST becomes a GET unless the status preserves the method. Headers
   * depend on the URL, because credentials are meant for one host only.
   */
  async follow(call: Call, headersFor: (url: URL) => Call['headers'] = () => call.headers): Promise<CallResponse> {
    let next = call;
    for (let calls = 1; ; calls += 1) {
      const headers = headersFor(next.url);
      // oxlint-disable-next-line no-await-in-loop -- one answer leads to the next
      const response = await this.#call(headers === undefined ? next : { ...next, headers }, verbOf(call));
      const location = response.header('location');
      if (!redirections.has(response.status) || location === undefined || location === '') return response;
      if (calls === maxCalls) {
        throw new CallError(`${verbOf(call)} "${location}": stopped after ${maxCalls} redirects`);
      }
      const { method, url: _url, address: _, shownUrl: _shown, body, ...rest } = next;
      const keeps = response.status >= 307;
      next = {
        ...rest,
        url: redirected(next, verbOf(call), location),
        method: keeps ? method : 'GET',
        ...(keeps && body !== undefined ? { body } : {}),
      };
    }
  }

  #answered({ method: verb, url, shownUrl }: Call, status: number, beganMs: number): void {
    const milliseconds = Math.floor(performance.now() - beganMs);
    const values = { verb, url: shownUrl ?? url.href, status, milliseconds };
    this.#log.write({ site, severity: 'info', verbosity, message: 'Response', values });
  }

  /** Ends calls in progress, with an error for those who wait, and all later ones; streams continue. */
  end(): void {
    this.#isEnded = true;
    for (const request of this.#running) request.leave(endText);
  }

  /** Closes idle connections; calls in progress continue. */
  close(): void {
    this.#upstream.close();
  }
}

function requestOf(call: Omit<Call, 'maxResponseBytes'>): UpstreamCall {
  const { method, url, headers = {} } = call;
  const body = typeof call.body === 'string' ? Buffer.from(call.body) : (call.body ?? 'none');
  const sent: string[] = [];
  const all: Call['headers'] = { 'accept-encoding': 'gzip', ...headers };
  for (const [name, values] of Object.entries(all)) {
    if (typeof values === 'string') sent.push(name, values);
    else for (const value of values) sent.push(name, value);
  }
  if (body !== 'none') sent.push('content-length', String(body.length));
  return {
    ...addressOf(call),
    method,
    headers: sent,
    serverName: hostOf(url),
    secure: url.protocol === 'https:',
    target: `${url.pathname}${url.search}`,
    authority: url.host,
    body,
  };
}

/** The error of a call that takes longer than it may. */
export function lateCall(call: Call): CallError {
  return callError(call, verbOf(call), new Error(timeoutText));
}

const timeoutText = 'context deadline exceeded';
const endText = 'context canceled';

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

function addressOf({ url, address }: Pick<Call, 'url' | 'address'>): CallAddress {
  return address ?? { host: hostOf(url), port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443) };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The verb in the errors of Go's client. */
function verbOf({ method }: Pick<Call, 'method'>): string {
  return `${method[0]}${method.slice(1).toLowerCase()}`;
}

function callError(call: Pick<Call, 'url' | 'shownUrl' | 'address'>, verb: string, error: Error): CallError {
  const isReset = isResetError(error);
  return new CallError(`${verb} "${call.shownUrl ?? call.url.href}": ${callWords(error, addressOf(call))}`, {
    isReset,
    cause: error,
  });
}
