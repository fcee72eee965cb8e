import type { Exchange } from '../transport/exchange.ts';
import type { ConnectionHead } from './messages.ts';

/** Connections as the other thread knows them: by number, as long as they live here. */
export class ConnectionNumbers {
  readonly #numbers = new WeakMap<object, number>();
  readonly #collected: FinalizationRegistry<number>;
  #last = 0;

  /** `forget` is called when no exchange of a connection can follow. */
  constructor(forget: (connection: number) => void) {
    this.#collected = new FinalizationRegistry(forget);
  }

  /** With what is to be told of the connection, if this is its first exchange. */
  of(exchange: Exchange): { readonly connection: number; readonly opened?: ConnectionHead } {
    const known = this.#numbers.get(exchange.connection);
    if (known !== undefined) return { connection: known };
    const connection = ++this.#last;
    this.#numbers.set(exchange.connection, connection);
    this.#collected.register(exchange.connection, connection);
    return { connection, opened: { peer: exchange.peer()?.map((certificate) => new Uint8Array(certificate)) } };
  }
}
