import { createSecureContext } from 'node:tls';
import type { AggregationConfig } from '../../aggregation/aggregation-config.ts';
import { ConfigError } from '../../api/errors/config-error.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { FrontProxy } from '../../authentication/pki/front-proxy.ts';
import type { ClientCredentials } from '../../outgoing/remote-server.ts';

/**
 * The certificate and key by which other servers know this one: those of the flags, read again when their files change,
 * or of the front proxy.
 */
export class ProxyCredentials {
  readonly #frontProxy: FrontProxy | undefined;
  #current: ClientCredentials | undefined;
  #changed = (): void => undefined;

  private constructor(given: { readonly current?: ClientCredentials; readonly frontProxy?: FrontProxy | undefined }) {
    this.#current = given.current;
    this.#frontProxy = given.frontProxy;
  }

  /** Throws a ConfigError. */
  static async read(
    { proxyClientCertFile: certFile, proxyClientKeyFile: keyFile }: AggregationConfig,
    { readFile, frontProxy }: PartContext & { readonly frontProxy: FrontProxy | undefined },
  ): Promise<ProxyCredentials> {
    if (certFile === undefined || keyFile === undefined) return new ProxyCredentials({ frontProxy });
    const latest = { cert: '', key: '' };
    const changed = (part: 'cert' | 'key') => (text: string) => {
      latest[part] = text;
      credentials.#replace({ ...latest });
    };
    [latest.cert, latest.key] = await Promise.all([
      readFile(certFile, changed('cert')),
      readFile(keyFile, changed('key')),
    ]);
    try {
      createSecureContext(latest);
    } catch (error) {
      throw new ConfigError(`--proxy-client-cert-file and --proxy-client-key-file: ${String(error)}`);
    }
    const credentials = new ProxyCredentials({ current: { ...latest } });
    return credentials;
  }

  /** Before the first use. */
  async prepare(): Promise<void> {
    if (this.#frontProxy === undefined) return;
    const { certificate: cert, key } = await this.#frontProxy.client();
    this.#current = { cert, key };
  }

  get current(): ClientCredentials | undefined {
    return this.#current;
  }

  follow(changed: () => void): void {
    this.#changed = changed;
  }

  /** Throws while the certificate is not that of the key: files are replaced one after the other. */
  #replace(credentials: ClientCredentials): void {
    createSecureContext(credentials);
    this.#current = credentials;
    this.#changed();
  }
}
