import type { Duplex } from 'node:stream';

/** What is used of node's sockets. */
export interface Connection extends Duplex {
  setNoDelay(isOn?: boolean): this;
  unref(): this;
}

/** Opens a connection to an address, without the TLS of the server there. Rejects with an Error in Go's words. */
export type Connect = (address: { readonly host: string; readonly port: number }) => Promise<Connection>;

/** How connections to a network are opened; undefined is `direct`, too, but nobody has said so. */
export type EgressWay = Connect | 'direct' | undefined;

/** How connections are opened, by the network they lead to. */
export interface Egress {
  /** Webhooks by URL, and webhooks of authentication, authorization and audit. */
  readonly controlplane?: EgressWay;
  /** Nodes, pods and services, and webhooks and API servers behind services. */
  readonly cluster?: EgressWay;
  readonly etcd?: EgressWay;
}
