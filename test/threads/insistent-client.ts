import { ApiClient, type Answer, type Request } from '../api-client.ts';
import type { TestServer } from '../server-fixture.ts';

/** Whether the server has not looked at a request, because its connection was told to end: it may be sent again. */
function isUnprocessed(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException; // of node's streams
  return (
    code === 'ERR_HTTP2_GOAWAY_SESSION' || code === 'ERR_HTTP2_INVALID_SESSION' || message.includes('REFUSED_STREAM')
  );
}

/** A client that opens another connection when the server tells it to end one, as client-go does. */
export class InsistentClient implements Disposable {
  readonly #server: TestServer;
  readonly #all: ApiClient[] = [];
  #client: Promise<ApiClient> | undefined;
  /** How often a connection was opened. */
  connections = 0;

  constructor(server: TestServer) {
    this.#server = server;
  }

  async send(method: string, path: string, request?: Request): Promise<Answer> {
    for (;;) {
      const client = await this.connected();
      try {
        return await client.send(method, path, request);
      } catch (error) {
        if (!isUnprocessed(error)) throw error;
      }
    }
  }

  /** A connection that the server has not told to end. */
  async connected(): Promise<ApiClient> {
    const client = await this.#client;
    if (client?.usable === true) return client;
    this.connections += 1;
    this.#client = ApiClient.connect(this.#server);
    const opened = await this.#client;
    this.#all.push(opened);
    return opened;
  }

  [Symbol.dispose](): void {
    for (const client of this.#all) client[Symbol.dispose]();
  }
}
