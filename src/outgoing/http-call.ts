import type { Agent as PlainAgent, ClientRequest, IncomingMessage } from 'node:http';
import type { Agent, AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import { callWords } from './call-words.ts';
import { hostAuthorities } from './host-authorities.ts';

/** Thrown when a call gets no response. Messages match the reference. */
export class CallError extends Error {
  readonly code = 'CALL';
  /** Connection reset: the server may have restarted, so a retry can succeed. */
  readonly isReset: boolean;

  constructor(message: string, { isReset = false, ...options }: ErrorOptions & { readonly isReset?: boolean } = {}) {
    super(message, options);
    this.isReset = isReset;
  }
}

/** The tenth redirection is not followed. */
const maxCalls = 10;
const redirections: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The address to connect to, if it differs from the URL. */
export interface CallAddress {
  readonly host: string;
  readonly port: number;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  /** The URL in errors, if not as above. */
  readonly shownUrl?: string;
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

/** Calls servers over HTTP/1.1 with keep-alive. `tls`: trusted CAs and client certificate. */
export class HttpCaller {
  #secure: Agent | undefined;
  #plain: PlainAgent | undefined;
  readonly #tls: AgentOptions;

  constructor(tls: AgentOptions = {}) {
    this.#tls = tls;
  }

  /** Resolves for responses of any status. Throws a CallError. */
  call(call: Call): Promise<CallAnswer> {
    return this.#call(call, verbOf(call));
  }

  /** `verb`: the method's name in errors. */
  async #call(call: Call, verb: string): Promise<CallAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<CallAnswer>();
    const fail = (error: Error): void => reject(callError(call, verb, error));
    let [isAnswered, isLate] = [false, false];
    const sent = await this.#request(call, (response) => {
      isAnswered = true;
      if (call.ignoresBody === true) {
        // Part of the body may be in transit; it is ignored.
        response.once('error', () => undefined).destroy();
        resolve(answerOf(response, Buffer.alloc(0)));
        return;
      }
      readAnswer(response, call.maxAnswerBytes).then(resolve, (error: Error) => {
        sent.destroy();
        reject(bodyError(isLate ? new Error(timeoutText) : error));
      });
    });
    const timer = setTimeout(() => {
      isLate = true;
      sent.destroy(new Error(timeoutText));
    }, call.timeoutMs);
    // Whoever reads the answer is told as well.
    sent.once('error', (error) => (isAnswered ? undefined : fail(error)));
    sent.end(call.body);
    try {
      return await promise;
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
      if (!redirections.has(answer.status) || location === undefined) return answer;
      if (calls === maxCalls) {
        throw new CallError(`${verbOf(call)} "${location}": stopped after ${maxCalls} redirects`);
      }
      const { method, url, address: _, body, ...rest } = next;
      const keeps = answer.status >= 307;
      next = {
        ...{ ...rest, url: new URL(location, url), method: keeps ? method : 'GET' },
        ...(keeps && body !== undefined ? { body } : {}),
      };
    }
  }

  /** Closes idle connections; calls in progress continue. */
  close(): void {
    this.#secure?.destroy();
    this.#plain?.destroy();
  }

  /** Node's HTTP client is imported on the first call: it takes 8 MiB. */
  async #request(call: Call, answered: (response: IncomingMessage) => void): Promise<ClientRequest> {
    const { method, url, headers = {}, body } = call;
    const { host, port } = addressOf(call);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = {
      ...{ method, host, port, path: `${url.pathname}${url.search}` },
      headers: { host: url.host, ...headers, ...length },
    };
    if (url.protocol === 'http:') {
      const { Agent: PlainAgent, request } = await import('node:http');
      this.#plain ??= new PlainAgent({ keepAlive: true });
      return request({ ...options, agent: this.#plain }, answered);
    }
    const { Agent, request } = await import('node:https');
    this.#secure ??= new Agent({ keepAlive: true, ...this.#tls, ca: this.#tls.ca ?? hostAuthorities() });
    // SNI does not allow IP addresses.
    const { servername = hostOf(url) } = this.#tls;
    return request({ ...options, agent: this.#secure, ...(isIP(servername) === 0 ? { servername } : {}) }, answered);
  }
}

const timeoutText = 'context deadline exceeded';

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<CallAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return answerOf(response, Buffer.concat(chunks));
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: Buffer): CallAnswer {
  return { status: statusCode, header: (name) => headers[name]?.toString(), body };
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

/** The answer has begun, and does not end. */
function bodyError(error: Error): CallError {
  const isReset = isResetError(error);
  const why = isReset ? 'unexpected EOF' : error.message;
  const message = `unexpected error when reading response body. Please retry. Original error: ${why}`;
  return new CallError(message, { isReset, cause: error });
}

function isResetError(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function callError(call: Call, verb: string, error: Error): CallError {
  const isReset = isResetError(error);
  return new CallError(`${verb} "${call.shownUrl ?? call.url.href}": ${callWords(error, addressOf(call))}`, {
    isReset,
    cause: error,
  });
}
