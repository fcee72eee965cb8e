import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Fault, FaultTarget } from './faults.ts';

/** A proxy between a server and its etcd whose connections can be stalled or cut. */
export class Link implements FaultTarget, AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly faults = ['stall', 'cut'] as const;
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  #fault: Fault | undefined;

  private constructor(name: string, listener: Server, port: number) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.#listener = listener;
  }

  static async open(name: string, targetUrl: string): Promise<Link> {
    const target = Number(new URL(targetUrl).port);
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server without a port');
    const link = new Link(name, listener, address.port);
    listener.on('connection', (socket) => link.#join(socket, connect(target, '127.0.0.1')));
    return link;
  }

  begin(fault: Fault): Promise<void> {
    this.#fault = fault;
    for (const socket of this.#sockets) {
      if (fault === 'cut') socket.destroy();
      else socket.pause();
    }
    return Promise.resolve();
  }

  heal(): Promise<void> {
    this.#fault = undefined;
    for (const socket of this.#sockets) socket.resume();
    return Promise.resolve();
  }

  #join(client: Socket, etcd: Socket): void {
    if (this.#fault === 'cut') {
      client.destroy();
      etcd.destroy();
      return;
    }
    this.#forward(client, etcd);
    this.#forward(etcd, client);
  }

  #forward(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (data) => to.write(data));
    if (this.#fault === 'stall') from.pause();
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
