import { type ClientHttp2Session, connect } from 'node:http2';
import { once } from 'node:events';
import { adminTls } from '../server-fixture.ts';

export interface HostileRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
}

export interface Reply {
  /** 0: no response. */
  readonly code: number;
  readonly bytes: number;
  /** The beginning of the response. */
  readonly text: string;
}

export interface Server {
  readonly url: string;
  readonly kubeconfigPath: string;
}

const keptText = 2000;

/** One HTTP/2 connection as the administrator, which discards large responses. */
export class HostileClient implements Disposable {
  readonly session: ClientHttp2Session;
  readonly #server: Server;

  private constructor(session: ClientHttp2Session, server: Server) {
    this.session = session;
    this.#server = server;
  }

  static async connect(server: Server): Promise<HostileClient> {
    const session = connect(server.url, await adminTls(server.kubeconfigPath));
    session.on('error', () => undefined);
    await once(session, 'connect');
    // Responses are read as fast as they arrive.
    session.setLocalWindowSize(64 << 20);
    return new HostileClient(session, server);
  }

  get url(): string {
    return this.#server.url;
  }

  get kubeconfigPath(): string {
    return this.#server.kubeconfigPath;
  }

  /** Another connection to the same server. */
  another(): Promise<HostileClient> {
    return HostileClient.connect(this.#server);
  }

  /** Never rejects: cases are about what happens to requests. */
  async send({ method = 'POST', path, headers = {}, body }: HostileRequest): Promise<Reply> {
    if (this.session.destroyed) return { code: 0, bytes: 0, text: 'the connection has ended' };
    const named = { ':method': method, ':path': path, 'content-type': 'application/json', ...headers };
    const stream = this.session.request(named, { endStream: false });
    let code = 0;
    let bytes = 0;
    let text = '';
    stream.on('response', (answer) => (code = Number(answer[':status'])));
    stream.on('error', (error) => (text = String(error)));
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (text.length < keptText) text += chunk.toString('latin1', 0, keptText);
    });
    stream.end(body);
    await new Promise((resolve) => stream.once('close', resolve));
    return { code, bytes, text };
  }

  [Symbol.dispose](): void {
    this.session.destroy();
  }
}
