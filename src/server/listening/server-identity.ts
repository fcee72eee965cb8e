import type { Certificates } from '../../authentication/pki/certificate-store.ts';
import type { FrontProxy } from '../../authentication/pki/front-proxy.ts';

/** What clients and other servers know a server by. A clone takes it from its original. */
export interface ServerIdentity {
  /** Generated, or found in the certificate folder. */
  readonly certificates: Certificates;
  /** Paths of the operator's certificate in `--cert-dir`, under kube-apiserver's names. */
  readonly operatorsFiles: { readonly tlsCertFile?: string; readonly tlsPrivateKeyFile?: string };
  /** Undefined where flags name the certificate that other API servers are shown, or the authorities they trust. */
  readonly frontProxy: FrontProxy | undefined;
}
