import type { MessagePort } from 'node:worker_threads';
import { headerFields } from '../../api/text/header-list.ts';
import type { Exchange } from '../transport/exchange.ts';
import { ConnectionNumbers } from './connection-numbers.ts';
import type { ExchangeHead, FromServing, ToServing } from './messages.ts';
import { type Begun, SentExchange } from './sent-exchange.ts';

/** Has exchanges served by another thread. When that ends, they are answered as failed, or cut off if they began. */
export class ExchangeSender {
  readonly #port: MessagePort;
  readonly #lost: () => void;
  readonly #open = new Map<number, SentExchange>();
  readonly #connections: ConnectionNumbers;
  #lastId = 0;
  #emptied: PromiseWithResolvers<void> | undefined;
  #isLost = false;

  /** `lost` is called when the other thread has ended, or `close` was called. */
  constructor(port: MessagePort, { lost = () => undefined }: { readonly lost?: () => void } = {}) {
    this.#port = port;
    this.#lost = lost;
    this.#connections = new ConnectionNumbers((connection) => this.#post({ type: 'forget', connection }));
    port.on('message', (message: FromServing) => this.#open.get(message.id)?.receive(message));
    port.once('close', () => this.#lose());
  }

  /** How many exchanges the other thread serves, or has not done with. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Before anything was done for the request; `begun` is what was done with the exchange. What asks for another
   * protocol is served as if it did not. Always true: it is not to be served here.
   */
  handOver(exchange: Exchange, begun?: Begun): true {
    const id = ++this.#lastId;
    const sent = new SentExchange(exchange, {
      begun,
      post: (message) => this.#post({ ...message, id }),
      ended: () => {
        this.#open.delete(id);
        if (this.#open.size === 0) this.#emptied?.resolve();
      },
    });
    if (this.#isLost) {
      sent.lose();
      return true;
    }
    this.#open.set(id, sent);
    this.#post({ type: 'begin', id, head: headOf(exchange, begun), ...this.#connections.of(exchange) });
    sent.follow();
    return true;
  }

  /** Resolves once none is open. */
  emptied(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    this.#emptied ??= Promise.withResolvers();
    return this.#emptied.promise;
  }

  /** No more exchanges follow. Those that are open end as if the other thread had ended. */
  close(): void {
    this.#port.close();
  }

  #post(message: ToServing): void {
    this.#port.postMessage(message);
  }

  #lose(): void {
    this.#isLost = true;
    for (const sent of this.#open.values()) sent.lose();
    this.#open.clear();
    this.#emptied?.resolve();
    this.#lost();
  }
}

function headOf(exchange: Exchange, begun: Begun | undefined): ExchangeHead {
  const { method, path, query, httpVersion, remoteAddress, remotePort, host, rawHeaders } = exchange;
  return {
    method,
    path,
    query,
    httpVersion,
    remoteAddress,
    remotePort,
    host,
    rawHeaders,
    headers: headersOf(exchange),
    begun: begun?.request,
    webSocketToken: exchange.webSocketToken,
    hasBody: exchange.hasBody,
    canEndConnection: exchange.endConnection !== undefined,
    isCounted: exchange.release !== undefined,
  };
}

function headersOf(exchange: Exchange): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [raw] of headerFields(exchange.rawHeaders)) {
    const name = raw.toLowerCase();
    const value = headers.has(name) ? undefined : exchange.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}
