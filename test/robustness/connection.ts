import { ApiClient } from '../api-client.ts';

/** Where a client finds its server, and which process of it is there now. */
export interface Endpoint {
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly incarnation: string;
}

export interface Connected {
  readonly client: ApiClient;
  /** The process at the other end. */
  readonly server: string;
}

const connectTimeoutMs = 3000;

/** One client's connection, made anew when it has ended. */
export class Connection {
  readonly endpoint: Endpoint;
  #current: Connected | undefined;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  /** Rejects when the server cannot be reached now. */
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

  /** Cuts the connection, whatever is under way. */
  drop(): void {
    this.#current?.client[Symbol.dispose]();
    this.#current = undefined;
  }
}
