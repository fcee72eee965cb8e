import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../robustness/random.ts';
import type { Target } from './raw-client.ts';
import type { SoakUser } from './soak.ts';
import { anyRequest, checkResponse, type SoakRequest } from './soak-steps.ts';

const patienceMs = 60_000;
/** Pauses of a slow reader, at the beginning of an answer. */
const pauses = 50;

/** One client over HTTP/2: it never needs another connection. */
export class Http2User implements SoakUser {
  readonly #target: Target;
  readonly #random: Random;
  #session: ClientHttp2Session | undefined;

  constructor(target: Target, random: Random) {
    this.#target = target;
    this.#random = random;
  }

  async step(): Promise<string> {
    const dice = this.#random.fraction();
    const session = await this.#open();
    const request = anyRequest(this.#random);
    if (dice < 0.1) return this.#giveUp(session, request);
    if (dice < 0.2) return this.#restart(session);
    if (dice < 0.25) {
      await this.#ask(session, request, { slowly: true });
      return 'watch or others read slowly over HTTP/2';
    }
    await this.#ask(session, request);
    return `${request.name} over HTTP/2`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#session?.destroy();
  }

  async #open(): Promise<ClientHttp2Session> {
    if (this.#session !== undefined) {
      // No step may cost a client its connection.
      if (this.#session.closed || this.#session.destroyed) {
        this.#session = undefined;
        throw new Error('the server has closed the connection');
      }
      return this.#session;
    }
    // Node never forgets what it had to send of requests that were given up.
    this.#session = connect(this.#target.url, { ...this.#target.tls, maxSessionMemory: 1_000_000 });
    this.#session.on('error', () => undefined);
    await once(this.#session, 'remoteSettings');
    return this.#session;
  }

  async #ask(session: ClientHttp2Session, request: SoakRequest, { slowly = false } = {}): Promise<void> {
    const stream = send(session, request);
    const parts: Buffer[] = [];
    let head: { readonly [name: string]: string | number | string[] | undefined } = {};
    stream.on('response', (headers) => (head = headers));
    stream.on('data', (part: Buffer) => {
      parts.push(part);
      if (!slowly || parts.length > pauses) return;
      stream.pause();
      setTimeout(() => stream.resume(), this.#random.integer(0, 20));
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error(`no answer to ${request.method} ${request.path}`)), patienceMs);
    stream.on('error', reject);
    stream.on('end', resolve);
    await promise.finally(() => clearTimeout(timer));
    const text = (name: string): string => String(head[name] ?? '');
    const [contentType, encoding] = [text('content-type'), text('content-encoding')];
    await checkResponse(request, {
      status: Number(head[':status']),
      contentType,
      encoding,
      body: Buffer.concat(parts),
    });
  }

  async #giveUp(session: ClientHttp2Session, request: SoakRequest): Promise<string> {
    const stream = send(session, request);
    stream.on('error', () => undefined).resume();
    await sleep(this.#random.integer(0, 20));
    stream.close(constants.NGHTTP2_CANCEL);
    return 'given up over HTTP/2';
  }

  /** As a controller does that begins anew: its watches end, and others take their places. */
  async #restart(session: ClientHttp2Session): Promise<string> {
    const watch = { method: 'GET', path: '/api/v1/namespaces/default/configmaps?watch=1', headers: {}, codes: [200] };
    const watches = Array.from({ length: 80 }, () => send(session, { name: 'watch', ...watch }));
    for (const stream of watches) stream.on('error', () => undefined).resume();
    await Promise.race([Promise.all(watches.map((stream) => once(stream, 'response'))), sleep(patienceMs)]);
    for (const stream of watches) stream.close(constants.NGHTTP2_CANCEL);
    const get = { method: 'GET', path: '/api/v1/namespaces/default', headers: {}, codes: [200] };
    await Promise.all(Array.from({ length: 80 }, () => this.#ask(session, { name: 'get', ...get })));
    return 'watches restarted over HTTP/2';
  }
}

function send(session: ClientHttp2Session, { method, path, headers, body }: SoakRequest): ClientHttp2Stream {
  const stream = session.request({ ...headers, ':method': method, ':path': path }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return stream;
}
