import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { createInterface } from 'node:readline';
import type { JsonObject } from '../src/api/json.ts';
import { adminTls, type TestServer } from './server-fixture.ts';

export interface Answer {
  readonly code: number;
  readonly headers: { readonly [name: string]: string | readonly string[] | number | undefined };
  readonly body: JsonObject;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

export interface Request {
  readonly body?: unknown;
  /** Of the body; JSON when absent. */
  readonly contentType?: string;
}

/** Raw HTTP/2 as the administrator. */
export class ApiClient implements Disposable {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static async connect({ url, kubeconfigPath }: Pick<TestServer, 'url' | 'kubeconfigPath'>): Promise<ApiClient> {
    const session = connect(url, await adminTls(kubeconfigPath));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    session.once('connect', () => resolve());
    session.once('error', reject);
    await promise;
    return new ApiClient(session);
  }

  async send(method: string, path: string, { body, contentType = 'application/json' }: Request = {}): Promise<Answer> {
    const stream = this.#open(method, path, body === undefined ? {} : { 'content-type': contentType });
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    const { promise, resolve, reject } = Promise.withResolvers<Answer['headers']>();
    stream.once('response', resolve);
    stream.once('error', reject);
    const headers = await promise;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set
    const text = Buffer.concat(chunks).toString('utf8');
    return { code: Number(headers[':status']), headers, body: (text === '' ? {} : JSON.parse(text)) as JsonObject };
  }

  /** Events of a watch until it is asked for no more. */
  async *watch(path: string): AsyncGenerator<WatchEvent> {
    const stream = this.#open('GET', path, {});
    stream.end();
    try {
      for await (const line of createInterface({ input: stream })) yield JSON.parse(line) as WatchEvent;
    } finally {
      stream.close();
    }
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  #open(method: string, path: string, headers: { readonly [name: string]: string }): ClientHttp2Stream {
    return this.#session.request({ ':method': method, ':path': path, accept: 'application/json', ...headers });
  }
}
