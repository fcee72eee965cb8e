import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminTls } from '../server-fixture.ts';

export interface ServerAccess {
  readonly url: string;
  readonly kubeconfigPath: string;
}

/** The request has not been processed: it may be sent again. */
const unprocessed = Symbol('unprocessed');

/**
 * Writes as client-go does behind a load balancer: it repeats what has not been processed (a refused connection, a
 * stream after GOAWAY), and what the server tells it to repeat (429 with Retry-After), and nothing else.
 */
export class WritingClient {
  readonly #places: readonly ServerAccess[];
  #at = 0;
  #session: ClientHttp2Session | undefined;
  #connecting: Promise<ClientHttp2Session | undefined> | undefined;
  /** Streams under way, which a GOAWAY may leave unprocessed. */
  readonly #waiting = new Map<ClientHttp2Stream, () => void>();

  constructor(places: readonly ServerAccess[]) {
    this.#places = places;
  }

  /** Resolves to the status of the answer; rejects for writes that fail. */
  async create(path: string, body: object): Promise<number> {
    for (;;) {
      const status = await this.#send(path, JSON.stringify(body));
      if (status !== unprocessed && status !== 429) return status;
    }
  }

  close(): void {
    this.#session?.destroy();
  }

  async #send(path: string, text: string): Promise<number | typeof unprocessed> {
    const session = await this.#usable();
    if (session === undefined) return unprocessed;
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
    const { promise, resolve } = Promise.withResolvers<typeof unprocessed>();
    this.#waiting.set(stream, () => resolve(unprocessed));
    stream.end(text);
    try {
      return await Promise.race([answered(stream), promise]);
    } finally {
      this.#waiting.delete(stream);
    }
  }

  /** The connection, or one to the next server. */
  async #usable(): Promise<ClientHttp2Session | undefined> {
    if (this.#session !== undefined && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const place = this.#places[this.#at % this.#places.length];
    if (place === undefined) throw new Error('there is no server');
    this.#connecting ??= this.#connect(place).finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #connect(place: ServerAccess): Promise<ClientHttp2Session | undefined> {
    const session = connect(place.url, await adminTls(place.kubeconfigPath));
    session.on('error', () => undefined);
    session.on('goaway', (_code: number, lastStreamId: number) => {
      this.#at += 1;
      for (const [stream, repeat] of this.#waiting) {
        if (stream.session !== session) continue;
        if (!stream.pending && (stream.id ?? 0) <= lastStreamId) continue;
        // It is not sent any more.
        if (stream.pending) stream.destroy();
        repeat();
      }
    });
    try {
      await once(session, 'connect');
      this.#session = session;
      return session;
    } catch {
      this.#at += 1;
      session.destroy();
      await sleep(20);
      return undefined;
    }
  }
}

async function answered(stream: ClientHttp2Stream): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  stream.once('response', (headers) => resolve(Number(headers[':status'])));
  stream.once('error', reject);
  stream.once('close', () => reject(new Error(`closed without an answer (${stream.rstCode})`)));
  stream.resume();
  return promise;
}
