import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../../test/api-client.ts';
import { adminTls } from '../../test/server-fixture.ts';

export interface Address {
  readonly url: string;
  readonly kubeconfigPath: string;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | Uint8Array | undefined;
}

/** A watch that is still open; `text` is what has arrived. */
export interface OpenStream {
  readonly headers: IncomingHttpHeaders;
  /** The text once it contains so many lines, or nothing has come for a while; ends the stream. */
  text(lines: number, quietMs: number): Promise<string>;
}

/** Requests to one server as its administrator or as nobody. */
export class Connection implements Disposable {
  readonly #admin: ClientHttp2Session;
  readonly #openNobody: () => ClientHttp2Session;

  private constructor(admin: ClientHttp2Session, openNobody: () => ClientHttp2Session) {
    this.#admin = admin;
    this.#openNobody = openNobody;
  }

  static async open({ url, kubeconfigPath }: Address): Promise<Connection> {
    const { ca, cert, key } = await adminTls(kubeconfigPath);
    // Streams report what breaks.
    const quiet = (session: ClientHttp2Session): ClientHttp2Session => session.on('error', () => undefined);
    return new Connection(quiet(connect(url, { ca, cert, key })), () => quiet(connect(url, { ca })));
  }

  async send(sent: Sent, as?: 'nobody'): Promise<{ readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }> {
    if (as === undefined) return answerOf(request(this.#admin, sent));
    // The reference ends connections of clients that it does not know.
    const session = this.#openNobody();
    try {
      return await answerOf(request(session, sent));
    } finally {
      session.destroy();
    }
  }

  /** As the administrator. */
  async open(sent: Sent): Promise<OpenStream> {
    const stream = request(this.#admin, sent);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingHttpHeaders>();
    stream.once('response', resolve);
    stream.on('error', reject);
    const arrived: string[] = [];
    let arrivedAt = Date.now();
    let ended = false;
    stream.setEncoding('utf8').on('data', (text: string) => {
      arrived.push(text);
      arrivedAt = Date.now();
    });
    stream.once('close', () => (ended = true));
    const headers = await promise;
    const text = async (lines: number, quietMs: number): Promise<string> => {
      const since = Date.now();
      const isQuiet = (): boolean => Date.now() - Math.max(since, arrivedAt) > quietMs;
      const isEnough = (): boolean => arrived.join('').split('\n').length > lines;
      while (!ended && !isQuiet() && !isEnough()) await sleep(10);
      stream.close();
      return arrived.join('');
    };
    return { headers, text };
  }

  [Symbol.dispose](): void {
    this.#admin.destroy();
  }
}

function request(session: ClientHttp2Session, { method, path, headers, body }: Sent): ClientHttp2Stream {
  const all = { ':method': method, ':path': path, 'user-agent': 'compare-requests', ...headers };
  const stream = session.request(all, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return stream;
}
