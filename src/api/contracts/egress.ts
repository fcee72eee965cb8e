import type { Duplex } from 'node:stream';

/** The part of Node's sockets that outgoing connections use. */
export interface Connection extends Duplex {
  setNoDelay(isOn?: boolean): this;
  unref(): this;
}

/** Opens a connection to an address, without the TLS of the server there. Rejects with an Error in Go's words. */
export type Connect = (address: { readonly host: string; readonly port: number }) => Promise<Connection>;

/** How connections to a network are opened; undefined: directly, as nothing is configured. */
export type EgressWay = Connect | 'direct' | undefined;

/** How connections are opened, by the network they lead to. */
export interface Egress {
  /** Webhooks by URL, and webhooks of authentication, authorization and audit. */
  readonly controlplane?: EgressWay;
  /** Nodes, pods and services, and webhooks and API servers behind services. */
  readonly cluster?: EgressWay;
  readonly etcd?: EgressWay;
}
