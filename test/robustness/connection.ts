import { ApiClient } from '../api-client.ts';

/** A server's address, and its current process. */
export interface Endpoint {
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly incarnation: string;
}

export interface Connected {
  readonly client: ApiClient;
  /** The process on the other side. */
  readonly server: string;
}

const connectTimeoutMs = 3000;

/** A client's connection, reopened after it ends. */
export class Connection {
  readonly endpoint: Endpoint;
  #current: Connected | undefined;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  /** Rejects if the server is currently unreachable. */
  async get(): Promise<Connected> {
    if (this.#current?.client.usable === true) return this.#current;
    const server = this.endpoint.incarnation;
    const client = await ApiClient.connect(this.endpoint, AbortSignal.timeout(connectTimeoutMs));
    if (server !== this.endpoint.incarnation) {
      client[Symbol.dispose]();
      throw new Error('the server was started meanwhile');
    }
    this.#current = { client, server };
    return this.#current;
  }

  /** Cuts the connection, even during a request. */
  drop(): void {
    this.#current?.client[Symbol.dispose]();
    this.#current = undefined;
  }
}
