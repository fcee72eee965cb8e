import { type ApiResponse, ApiClient, type Request } from '../api-client.ts';
import type { TestServer } from '../server-fixture.ts';

/** Whether the server has not looked at a request, because its connection is not to be used: it may be sent again. */
function isUnprocessed(error: unknown): boolean {
  const { code = '', message, syscall } = error as NodeJS.ErrnoException; // of node's streams and sockets
  if (message.includes('REFUSED_STREAM')) return true;
  // The thread that was to accept it has ended just then.
  if (code === 'ECONNRESET') return syscall === 'connect' || message.includes('before secure TLS connection');
  return code === 'ERR_HTTP2_GOAWAY_SESSION' || code === 'ERR_HTTP2_INVALID_SESSION';
}

interface Connection {
  readonly client: Promise<ApiClient>;
  running: number;
  isLeft: boolean;
}

/** A client that opens another connection when the server tells it to end one, as client-go does. */
export class InsistentClient implements Disposable {
  readonly #server: Pick<TestServer, 'url' | 'kubeconfigPath'>;
  #connection: Connection | undefined;
  /** How often a connection was opened. */
  connections = 0;

  constructor(server: Pick<TestServer, 'url' | 'kubeconfigPath'>) {
    this.#server = server;
  }

  readonly send = async (method: string, path: string, request?: Request): Promise<ApiResponse> => {
    for (;;) {
      const connection = this.#connected();
      connection.running += 1;
      try {
        const client = await connection.client;
        if (client.usable) return await client.send(method, path, request);
        this.leave(connection);
      } catch (error) {
        if (!isUnprocessed(error)) throw error;
        this.leave(connection);
      } finally {
        connection.running -= 1;
        closeIfDone(connection);
      }
    }
  };

  /** Later requests are sent on another connection. */
  leave(connection = this.#connection): void {
    if (connection === undefined) return;
    connection.isLeft = true;
    if (this.#connection === connection) this.#connection = undefined;
    closeIfDone(connection);
  }

  [Symbol.dispose](): void {
    this.leave();
  }

  #connected(): Connection {
    if (this.#connection !== undefined) return this.#connection;
    this.connections += 1;
    this.#connection = { client: ApiClient.connect(this.#server), running: 0, isLeft: false };
    return this.#connection;
  }
}

function closeIfDone({ client, running, isLeft }: Connection): void {
  if (!isLeft || running > 0) return;
  client.then(
    (opened) => opened[Symbol.dispose](),
    () => undefined,
  );
}
