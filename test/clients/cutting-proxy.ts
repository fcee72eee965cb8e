import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a local server that cuts its connections on demand. */
export class CuttingProxy implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(targetPort: number): Promise<CuttingProxy> {
    const server = createServer({ noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server without a port');
    const proxy = new CuttingProxy(server, address.port);
    server.on('connection', (client) => proxy.#join(client, targetPort));
    return proxy;
  }

  /** Number of connections accepted. */
  get connections(): number {
    return this.#connections;
  }

  /** Cuts every connection, even in the middle of an event; returns their number. */
  cut(): number {
    const cut = this.#sockets.size / 2;
    for (const socket of this.#sockets) socket.resetAndDestroy();
    return cut;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, targetPort: number): void {
    this.#connections += 1;
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    const ends = [
      { from: client, to: target },
      { from: target, to: client },
    ];
    for (const { from, to } of ends) {
      this.#sockets.add(from);
      from.pipe(to);
      // A cut on one side cuts the other; the error has no further information.
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
