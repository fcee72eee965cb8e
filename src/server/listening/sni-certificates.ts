import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { PartContext } from '../../api/contracts/part.ts';

/** A certificate for clients that request one of these names; without names: those in the certificate. */
export interface SniCertificateConfig {
  readonly certFile: string;
  readonly keyFile: string;
  readonly names: readonly string[];
}

interface Pair {
  readonly names: readonly string[];
  certificate: string;
  key: string;
}

/** Certificates by server name (SNI, RFC 6066 section 3); their files are reloaded when they change. */
export class SniCertificates {
  readonly #pairs: readonly Pair[];
  #contexts = new Map<Pair, SecureContext>();

  private constructor(pairs: readonly Pair[]) {
    this.#pairs = pairs;
  }

  static async read(config: readonly SniCertificateConfig[], { readFile }: PartContext): Promise<SniCertificates> {
    const pairs = config.map(async ({ certFile, keyFile, names }): Promise<Pair> => {
      const pair: Pair = { names, certificate: '', key: '' };
      const read = async (part: 'certificate' | 'key', path: string): Promise<void> => {
        pair[part] = await readFile(path, (text) => {
          pair[part] = text;
          certificates.forget();
        });
      };
      await Promise.all([read('certificate', certFile), read('key', keyFile)]);
      createSecureContext({ cert: pair.certificate, key: pair.key });
      return pair;
    });
    const certificates: SniCertificates = new SniCertificates(await Promise.all(pairs));
    return certificates;
  }

  get isEmpty(): boolean {
    return this.#pairs.length === 0;
  }

  /** The TLS options have changed. */
  forget(): void {
    this.#contexts = new Map();
  }

  /** Undefined for unknown names, which get the server's default certificate. */
  contextFor(name: string, options: () => SecureContextOptions): SecureContext | undefined {
    const requested = name.toLowerCase();
    const any = requested.replace(/^[^.]+/, '*');
    const pair = this.#pairFor(requested) ?? this.#pairFor(any);
    if (pair === undefined) return undefined;
    let context = this.#contexts.get(pair);
    if (context === undefined) {
      context = createSecureContext({ ...options(), cert: pair.certificate, key: pair.key });
      this.#contexts.set(pair, context);
    }
    return context;
  }

  #pairFor(name: string): Pair | undefined {
    return this.#pairs.find((pair) => namesOf(pair).some((known) => known.toLowerCase() === name));
  }
}

function namesOf({ names, certificate }: Pair): readonly string[] {
  if (names.length > 0) return names;
  const { subject, subjectAltName = '' } = new X509Certificate(certificate);
  const common = subject.split('\n').find((line) => line.startsWith('CN='));
  const others = subjectAltName.split(', ').flatMap((text) => /^(?:DNS|IP Address):(.+)$/.exec(text)?.[1] ?? []);
  return [...(common === undefined ? [] : [common.slice('CN='.length)]), ...others];
}
