import type { MessagePort } from 'node:worker_threads';
import type { PeerCertificates } from '../../api/contracts/authentication.ts';
import type { Exchange } from '../transport/exchange.ts';
import { type HandedConnection, HandedExchange } from './handed-exchange.ts';
import type { FromServing, ToServing } from './messages.ts';

/** Serves what another thread has accepted and handed over; when that thread ends, its exchanges are closed. */
export class ExchangeReceiver {
  readonly #port: MessagePort;
  readonly #handle: (exchange: Exchange) => void;
  readonly #counted: (change: 1 | -1) => void;
  readonly #open = new Map<number, HandedExchange>();
  readonly #connections = new Map<number, HandedConnection>();

  /** `counted` is told when an exchange begins, and when it has ended. */
  constructor(
    port: MessagePort,
    handle: (exchange: Exchange) => void,
    counted: (change: 1 | -1) => void = () => undefined,
  ) {
    this.#port = port;
    this.#handle = handle;
    this.#counted = counted;
    port.on('message', (message: ToServing) => this.#receive(message));
    port.once('close', () => this.#lose());
  }

  #receive(message: ToServing): void {
    if (message.type === 'begin') return this.#begin(message);
    if (message.type === 'forget') {
      this.#connections.delete(message.connection);
      return;
    }
    const exchange = this.#open.get(message.id);
    exchange?.receive(message);
    if (message.type === 'closed' && this.#open.delete(message.id)) this.#counted(-1);
  }

  #begin({ id, head, connection, opened }: ToServing & { readonly type: 'begin' }): void {
    if (opened !== undefined) this.#connections.set(connection, { peer: certificates(opened.peer) });
    const exchange = new HandedExchange(head, this.#connections.get(connection)!, (message, transferred = []) =>
      this.#port.postMessage({ ...message, id } satisfies FromServing, [...transferred]),
    );
    this.#open.set(id, exchange);
    this.#counted(1);
    this.#handle(exchange);
  }

  #lose(): void {
    for (const exchange of this.#open.values()) {
      exchange.close();
      this.#counted(-1);
    }
    this.#open.clear();
    this.#connections.clear();
  }
}

function certificates(peer: readonly Uint8Array[] | undefined): PeerCertificates | undefined {
  const [own, ...issuers] = (peer ?? []).map(({ buffer, byteOffset, length }) =>
    Buffer.from(buffer, byteOffset, length),
  );
  return own && [own, ...issuers];
}
