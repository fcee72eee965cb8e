import { connect, type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import type { Readable } from 'node:stream';
import type { JsonObject } from '../src/api/json/json.ts';
import { adminTls, type TestServer } from './server-fixture.ts';

export interface ApiResponse {
  readonly code: number;
  readonly headers: { readonly [name: string]: string | readonly string[] | number | undefined };
  readonly body: JsonObject;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

export interface Request {
  /** Sent as JSON; bytes are sent unchanged. */
  readonly body?: unknown;
  /** Content-Type; default JSON. */
  readonly contentType?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** Raw HTTP/2 requests as the administrator. */
export class ApiClient implements Disposable {
  readonly #session: ClientHttp2Session;

  readonly #streams = new Set<ClientHttp2Stream>();

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
    session.on('goaway', (_code: number, lastStreamId: number) => this.#refuseAfter(lastStreamId));
  }

  static async connect(
    { url, kubeconfigPath }: Pick<TestServer, 'url' | 'kubeconfigPath'>,
    signal?: AbortSignal,
  ): Promise<ApiClient> {
    return ApiClient.#over(connect(url, await adminTls(kubeconfigPath)), signal);
  }

  /** Without credentials. */
  static async connectAsNobody({
    url,
    kubeconfigPath,
  }: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<ApiClient> {
    const { ca } = await adminTls(kubeconfigPath);
    return ApiClient.#over(connect(url, { ca }));
  }

  static async #over(session: ClientHttp2Session, signal?: AbortSignal): Promise<ApiClient> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => session.destroy(new Error('gave up connecting'));
    signal?.addEventListener('abort', giveUp, { once: true });
    session.once('connect', () => resolve());
    // Stays attached: later connection errors are reported by the streams.
    session.on('error', reject);
    session.once('close', () => reject(new Error('the connection was closed')));
    await promise;
    signal?.removeEventListener('abort', giveUp);
    return new ApiClient(session);
  }

  /** False once the connection has ended. */
  get usable(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  async send(method: string, path: string, request: Request = {}): Promise<ApiResponse> {
    const { code, headers, text } = await this.exchange(method, path, request);
    return { code, headers, body: (text === '' ? {} : JSON.parse(text)) as JsonObject };
  }

  /** The response of a path that does not return JSON. */
  async text(path: string): Promise<string> {
    return (await this.exchange('GET', path, {})).text;
  }

  /** An answer as it came. */
  async exchange(
    method: string,
    path: string,
    { body, contentType = 'application/json', headers: more = {}, signal }: Request,
  ): Promise<Omit<ApiResponse, 'body'> & { readonly text: string }> {
    const ofBody = body === undefined ? {} : { 'content-type': contentType };
    const stream = this.#open(method, path, { ...ofBody, ...more }, signal);
    stream.end(body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body));
    const { promise, resolve, reject } = Promise.withResolvers<ApiResponse['headers']>();
    stream.once('response', resolve);
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('closed without an answer')));
    const headers = await promise;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set
    return { code: Number(headers[':status']), headers, text: Buffer.concat(chunks).toString('utf8') };
  }

  /** The response bytes of a GET in the given media type; for a watch until it ends. */
  async bytes(
    path: string,
    accept: string,
    others: { readonly [name: string]: string } = {},
  ): Promise<{ readonly contentType: string; readonly bytes: Buffer; readonly headers: ApiResponse['headers'] }> {
    const { headers, bytes } = await this.sendBytes('GET', path, { ...others, accept });
    return { contentType: String(headers['content-type']), bytes, headers };
  }

  /** Sends bytes unchanged; the headers give their type. */
  async sendBytes(
    method: string,
    path: string,
    headers: { readonly [name: string]: string },
    body?: Uint8Array,
  ): Promise<{ readonly code: number; readonly bytes: Buffer; readonly headers: ApiResponse['headers'] }> {
    const stream = this.#open(method, path, headers);
    stream.end(body);
    const { headers: answered, bytes } = await answerOf(stream);
    return { code: Number(answered[':status']), bytes, headers: answered };
  }

  /** Events of a watch, until the consumer stops. */
  async *watch(path: string, signal?: AbortSignal): AsyncGenerator<WatchEvent> {
    const stream = this.#open('GET', path, {}, signal);
    stream.end();
    try {
      for await (const line of linesOf(stream)) yield JSON.parse(line) as WatchEvent;
    } finally {
      // Nobody waits for it any more, however it ends.
      stream.on('error', () => undefined);
      stream.close();
    }
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  #open(
    method: string,
    path: string,
    headers: { readonly [name: string]: string },
    signal?: AbortSignal,
  ): ClientHttp2Stream {
    const stream = this.#session.request(
      { ':method': method, ':path': path, accept: 'application/json', ...headers },
      // For a DELETE, node would end the stream before the body.
      { endStream: false, ...(signal === undefined ? {} : { signal }) },
    );
    this.#streams.add(stream);
    stream.once('close', () => this.#streams.delete(stream));
    return stream;
  }

  /** The server will not answer these; node leaves some of them open. */
  #refuseAfter(lastStreamId: number): void {
    for (const stream of this.#streams) {
      if (stream.pending || (stream.id ?? 0) > lastStreamId) stream.destroy(new Error('REFUSED_STREAM, after GOAWAY'));
    }
  }
}

/** The whole response of a stream whose request has been sent. */
export async function answerOf(
  stream: ClientHttp2Stream,
): Promise<{ readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingHttpHeaders>();
  stream.once('response', resolve);
  stream.once('error', reject);
  const headers = await promise;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set
  return { headers, bytes: Buffer.concat(chunks) };
}

/** Unlike `readline`, rejects when the stream breaks. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const text of stream.setEncoding('utf8')) {
    const lines = (rest + String(text)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
