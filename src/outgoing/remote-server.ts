import type { AgentOptions } from 'node:https';
import type { EgressWay } from '../api/contracts/egress.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { joinHostPort } from '../api/text/host-port.ts';
import { CallError } from './call-error.ts';
import type { CallAddress } from './call-address.ts';
import { type Call, type CallResponse, HttpCaller, type OpenResponse, type StreamCall } from './http-call.ts';
import type { EndpointsResolver } from './service-resolver.ts';
import { Upstream } from './upstream.ts';

/** PEM by which this server identifies itself to others. */
export interface ClientCredentials {
  readonly cert: string;
  readonly key: string;
}

export interface RemoteServerOptions {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** PEM of the trusted authorities; empty: the system's. */
  readonly authorities: string;
  /** Trusts any certificate. */
  readonly isInsecure: boolean;
  readonly credentials: ClientCredentials | undefined;
  readonly resolve: EndpointsResolver;
  readonly egress?: EgressWay;
}

export interface RemoteCall {
  /** Absent: GET. */
  readonly method?: Call['method'];
  readonly headers: NonNullable<Call['headers']>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** Only the status is needed. */
  readonly ignoresBody?: boolean;
}

/** Another API server, behind a service. */
export class RemoteServer implements Disposable {
  /** Its connections. */
  readonly upstream: Upstream;
  readonly options: RemoteServerOptions;
  readonly #caller: HttpCaller;
  #addresses: Promise<readonly CallAddress[]> | undefined;

  constructor(options: RemoteServerOptions) {
    const { name, namespace, authorities, isInsecure, credentials, egress } = options;
    this.options = options;
    const tls: AgentOptions = {
      ...(authorities === '' ? {} : { ca: authorities }),
      ...(isInsecure ? { rejectUnauthorized: false } : {}),
      ...credentials,
      servername: `${name}.${namespace}.svc`,
    };
    this.upstream = new Upstream(tls, { egress });
    this.#caller = new HttpCaller(this.upstream);
  }

  /** One of its addresses. Rejects if there are none. */
  async address(): Promise<CallAddress> {
    const addresses = await this.addresses();
    const address = addresses[Math.floor(Math.random() * addresses.length)];
    if (address === undefined) throw new CallError(`no endpoints available for service ${goQuote(this.options.name)}`);
    return address;
  }

  /** Resolved once, until they may have changed. */
  addresses(): Promise<readonly CallAddress[]> {
    if (this.#addresses !== undefined) return this.#addresses;
    const { resolve, namespace, name, port } = this.options;
    const addresses = Promise.resolve(resolve(namespace, name, port));
    this.#addresses = addresses;
    addresses.catch(() => {
      if (this.#addresses === addresses) this.#addresses = undefined;
    });
    return addresses;
  }

  /** Its service or endpoints may have changed. */
  forgetAddresses(): void {
    this.#addresses = undefined;
  }

  /** Resolves to an answer with any status; redirects are not followed. Throws a CallError. */
  async call(address: CallAddress, path: string, call: RemoteCall): Promise<CallResponse> {
    const shownUrl = urlOf(address, path);
    return this.#caller.call({ method: 'GET', url: new URL(shownUrl), shownUrl, address, ...call });
  }

  /** Resolves to a response of any status and length, which lasts until the signal aborts. Throws a CallError. */
  async open(path: string, call: Pick<StreamCall, 'headers' | 'timeoutMs' | 'signal'>): Promise<OpenResponse> {
    const address = await this.address();
    const shownUrl = urlOf(address, path);
    return this.#caller.open({ method: 'GET', url: new URL(shownUrl), shownUrl, address, ...call });
  }

  /** Ends calls in progress, and all later ones. */
  end(): void {
    this.#caller.end();
    this[Symbol.dispose]();
  }

  /** Closes idle connections; calls and requests in flight complete. */
  [Symbol.dispose](): void {
    this.upstream.close();
  }
}

export function isSameServer(a: RemoteServerOptions, b: RemoteServerOptions): boolean {
  const keys = ['namespace', 'name', 'port', 'authorities', 'isInsecure', 'resolve', 'credentials'] as const;
  return keys.every((key) => a[key] === b[key]);
}

/** With the port, which URL leaves out when it is the usual one. */
export function urlOf(address: CallAddress, path: string): string {
  return `https://${joinHostPort(address)}${path}`;
}
