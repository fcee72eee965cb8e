import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { Exchange } from './exchange.ts';
import { Http1Connection } from './http1-connection.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { framingRefusal, hasBody, originForm, splitTarget } from './http1-framing.ts';
import { shareOf, type Shedding } from './share-of.ts';
import { http1Limits } from './transport-limits.ts';
import { asksForUpgrade, asksForWebSocket, type UpgradeRequest } from './upgrade-request.ts';

type Handle = (exchange: Exchange) => void;

/** Whether a path accepts upgrades other than WebSocket; elsewhere they are ordinary requests. */
export type TakesUpgrades = (path: string) => boolean;

/** The HTTP/1.1 fallback of an HTTP/2 server. */
export class Http1Server {
  readonly #connections = new Map<Socket, Http1Connection>();
  readonly #handle: Handle;
  #closed = false;

  constructor(server: Http2SecureServer, handle: Handle, takesUpgrades: TakesUpgrades) {
    this.#handle = handle;
    const shouldUpgradeCallback = (request: IncomingMessage): boolean =>
      asksForWebSocket(request) || (asksForUpgrade(request) && takesUpgrades(pathOf(request)));
    // Node overrides the constructor option with its own callback, hence the assignment.
    Object.assign(server, http1Limits, { shouldUpgradeCallback });
    // With a 'request' listener node would create its HTTP/2 compatibility objects too: this internal hook does that.
    server.removeAllListeners('newListener');
    // These events come from node's HTTP/1.1 server code, which the declared types do not know.
    const on = (event: string, listener: (...parts: never[]) => void): void => {
      server.on(event, listener as () => void);
    };
    on('request', (request: IncomingMessage, response: ServerResponse) => this.#take(request, response));
    on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
      this.#take(request, response, { expects: true }),
    );
    on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
      this.#connectionOf(request.socket).take(response, () =>
        refuse(response, { status: 417, text: 'Expectation Failed' }),
      ),
    );
    on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => this.#upgrade({ request, socket, head }));
    on('connect', (request: IncomingMessage, socket: Socket) => this.#connect(request, socket));
    on('clientError', (error: Error, socket: Socket) => {
      const connection = this.#connections.get(socket);
      // Failed handshakes are reported here too.
      if (connection === undefined) socket.destroy();
      else connection.fail(error);
    });
  }

  /** A connection that negotiated HTTP/1.1, or used no ALPN. */
  accept(socket: Socket): void {
    this.#connections.set(socket, new Http1Connection(socket));
    socket.once('close', () => this.#connections.delete(socket));
  }

  /** Every response is the last one of its connection. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#connections.values()) connection.close();
  }

  /** A share of the connections, those that are open for longest, end with their next response. */
  shed(shedding: Shedding): void {
    const openedMs = ({ leaving, openedMs: sinceMs }: Http1Connection) => (leaving ? undefined : sinceMs);
    for (const connection of shareOf(this.#connections.values(), openedMs, shedding)) connection.leave();
  }

  /** Whether there has been a request on this connection. */
  isUsed(socket: Socket): boolean {
    return this.#connections.get(socket)?.used === true;
  }

  /** Whether a response is owed on this connection. */
  isBusy(socket: Socket): boolean {
    return this.#connections.get(socket)?.busy === true;
  }

  #connectionOf(socket: Socket): Http1Connection {
    return this.#connections.get(socket) ?? new Http1Connection(socket);
  }

  #take(request: IncomingMessage, response: ServerResponse, { expects = false } = {}): void {
    const connection = this.#connectionOf(request.socket);
    // After an upgrade request that is not granted, node drops what it has read beyond it.
    if (request.headers.upgrade !== undefined || this.#closed || connection.leaving) response.shouldKeepAlive = false;
    connection.take(response, () => {
      const refusal = framingRefusal(request);
      if (refusal !== undefined) return refuse(response, refusal);
      if (expects && !hasBody(request)) response.writeContinue();
      this.#handle(new Http1Exchange(request, response, expects && hasBody(request)));
    });
  }

  /** No tunnels: CONNECT is a request like any other, and the last of its connection. */
  #connect(request: IncomingMessage, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    this.#connectionOf(socket).finally(() => {
      answerLast(request, socket, (response) => this.#handle(new Http1Exchange(request, response)));
    });
  }

  #upgrade(upgrade: UpgradeRequest & { readonly socket: Socket }): void {
    const { request, socket } = upgrade;
    socket.on('error', () => socket.destroy());
    this.#connectionOf(socket).finally(() => {
      const refusal = framingRefusal(request);
      if (refusal !== undefined) answerLast(request, socket, (response) => refuse(response, refusal));
      else shakeHands(upgrade, this.#handle).catch(() => socket.destroy());
    });
  }
}

function refuse(response: ServerResponse, { status, text }: { readonly status: number; readonly text: string }): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${status} ${text}`);
}

/** Loaded lazily, for the first connection that leaves HTTP. */
function answerLast(request: IncomingMessage, socket: Socket, answer: (response: ServerResponse) => void): void {
  import('./last-response.ts').then(
    ({ lastResponse }) => {
      if (!socket.destroyed) answer(lastResponse(request, socket));
    },
    () => socket.destroy(),
  );
}

/** Loaded lazily as well. */
async function shakeHands(upgrade: UpgradeRequest, handle: Handle): Promise<void> {
  const exchangeOf = asksForWebSocket(upgrade.request)
    ? (await import('./websocket-exchange.ts')).WebSocketExchange
    : (await import('./upgrade-exchange.ts')).UpgradeExchange;
  if (!upgrade.socket.destroyed) handle(new exchangeOf(upgrade));
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return splitTarget(originForm(url)).path;
}
