import { createSecureContext } from 'node:tls';
import type { AggregationConfig } from '../../aggregation/aggregation-config.ts';
import { ConfigError } from '../../api/config-error.ts';
import type { PartContext } from '../../api/part.ts';
import type { ClientCredentials } from '../../outgoing/remote-server.ts';

/** The certificate and key by which other servers know this one, read again when their files change. */
export class ProxyCredentials {
  #current: ClientCredentials | undefined;
  #changed = (): void => undefined;

  private constructor(current: ClientCredentials | undefined) {
    this.#current = current;
  }

  /** Throws a ConfigError. */
  static async read(
    { proxyClientCertFile: certFile, proxyClientKeyFile: keyFile }: AggregationConfig,
    { readFile }: PartContext,
  ): Promise<ProxyCredentials> {
    if (certFile === undefined || keyFile === undefined) return new ProxyCredentials(undefined);
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
    const credentials = new ProxyCredentials({ ...latest });
    return credentials;
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
