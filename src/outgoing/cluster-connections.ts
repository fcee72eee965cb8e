import type { EgressWay } from '../api/contracts/egress.ts';
import { Upstream } from './upstream.ts';

/** PEM of the client certificate for kubelets, and of the authorities of kubelets. */
export interface KubeletCredentials {
  /** Undefined: the certificates of kubelets are not verified. */
  readonly authority: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** Connections to nodes, pods and services, created on first use. */
export class ClusterConnections implements Disposable {
  readonly #egress: EgressWay;
  #credentials: KubeletCredentials = { authority: undefined, certificate: undefined, key: undefined };
  #kubelets: Upstream | undefined;
  #unverifiedKubelets: Upstream | undefined;
  #others: Upstream | undefined;

  constructor(egress?: EgressWay) {
    this.#egress = egress;
  }

  /** For new connections; those that are open stay. */
  renew(changed: Partial<KubeletCredentials>): void {
    this.#credentials = { ...this.#credentials, ...changed };
    for (const upstream of [this.#kubelets, this.#unverifiedKubelets]) upstream?.close();
    [this.#kubelets, this.#unverifiedKubelets] = [undefined, undefined];
  }

  /** With the client certificate for kubelets. */
  get kubelets(): Upstream {
    const { authority } = this.#credentials;
    return (this.#kubelets ??= this.#open(authority));
  }

  /** With the client certificate for kubelets, without verifying the server. */
  get unverifiedKubelets(): Upstream {
    return (this.#unverifiedKubelets ??= this.#open(undefined));
  }

  /** Without certificates in either direction, as the server has none for pods and services. */
  get others(): Upstream {
    return (this.#others ??= new Upstream({ ca: [], rejectUnauthorized: false }, { egress: this.#egress }));
  }

  [Symbol.dispose](): void {
    for (const upstream of [this.#kubelets, this.#unverifiedKubelets, this.#others]) upstream?.[Symbol.dispose]();
  }

  #open(authority: string | undefined): Upstream {
    const { certificate, key } = this.#credentials;
    const tls = {
      ...(authority === undefined ? { ca: [], rejectUnauthorized: false } : { ca: authority }),
      ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }),
    };
    return new Upstream(tls, { egress: this.#egress });
  }
}
