import { readFile } from 'node:fs/promises';
import { readSigningAuthority } from '../../codec/x509/sign-request.ts';
import { requestChecks } from './request-checks.ts';
import { authoritiesOf, type SigningConfig, SigningConfigError } from './signing-config.ts';

/** Throws a SigningConfigError for authorities that cannot sign. */
export async function checkSigning(signing: SigningConfig): Promise<void> {
  for (const [signer, { certFile, keyFile }] of authoritiesOf(signing, requestChecks.keys())) {
    try {
      readSigningAuthority(await readFile(certFile, 'utf8'), await readFile(keyFile, 'utf8'));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new SigningConfigError(`${signer} cannot sign with ${certFile} and ${keyFile}: ${why}`);
    }
  }
}
