import { ConfigError } from '../../api/errors/config-error.ts';

/** PEM files of a CA. */
export interface AuthorityFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The CAs of Kubernetes' signers: one for all of them, or separate ones for some. */
export interface SigningConfig {
  /** Both or neither. */
  readonly all: Partial<AuthorityFiles>;
  readonly bySigner: ReadonlyMap<string, Partial<AuthorityFiles>>;
  /** The default and maximum lifetime of certificates. */
  readonly durationMs: number;
}

export const signingDefaults: SigningConfig = { all: {}, bySigner: new Map(), durationMs: 365 * 86_400_000 };

/** Contradictory or incomplete signing files. */
export class SigningConfigError extends ConfigError {
  override readonly name = 'SigningConfigError';
  override readonly code = 'SIGNING_CONFIG';
}

/** By signer; missing ones sign nothing. Throws a SigningConfigError. */
export function authoritiesOf(
  { all, bySigner }: SigningConfig,
  signers: Iterable<string>,
): ReadonlyMap<string, AuthorityFiles> {
  const { certFile, keyFile } = all;
  if (certFile !== undefined && keyFile !== undefined) {
    if (bySigner.size > 0)
      throw new SigningConfigError('cannot specify default and per controller certs at the same time');
    return new Map([...signers].map((signer) => [signer, { certFile, keyFile }]));
  }
  return new Map([...bySigner].map(([signer, files]) => [signer, whole(signer, files)]));
}

function whole(signer: string, { certFile, keyFile }: Partial<AuthorityFiles>): AuthorityFiles {
  if (certFile === undefined || keyFile === undefined)
    throw new SigningConfigError(`${signer} needs both a certificate and a key`);
  return { certFile, keyFile };
}
