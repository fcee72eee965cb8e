import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigError } from '../../api/errors/config-error.ts';
import { algorithmOf } from './token-algorithms.ts';

/** A verification key. */
export interface VerifyingKey {
  /** The `kid` in tokens and key sets. */
  readonly id: string;
  readonly key: KeyObject;
  /** Verifies tokens, but is not published, as it no longer signs. */
  readonly isUnpublished?: boolean;
}

/** Keys of service account tokens. */
export interface TokenKeys {
  readonly signing: VerifyingKey;
  /** Including those of previous signers. */
  readonly verifying: readonly VerifyingKey[];
}

/** An unusable key file. */
export class KeyFileError extends ConfigError {
  override readonly name = 'KeyFileError';
  override readonly code = 'KEY_FILE';
}

const pemBlock = /-----BEGIN ([A-Z ]+)-----[^-]*-----END [A-Z ]+-----/g;

/** What contains a public key. */
const keyLabel = /PRIVATE KEY$|PUBLIC KEY$|^CERTIFICATE$/;

/** The public keys of a PEM file, also those of private keys and certificates. Throws a KeyFileError. */
export function publicKeys(pem: string, path: string): readonly VerifyingKey[] {
  const keys = [...pem.matchAll(pemBlock)].flatMap(([block, label = '']) =>
    keyLabel.test(label) ? readPublicKey(block, path) : [],
  );
  if (keys.length === 0) throw new KeyFileError(`${path} contains no key`);
  return keys.map((key) => ({ id: keyId(key), key }));
}

/** The private key of a PEM file. Throws a KeyFileError. */
export function privateKey(pem: string, path: string): VerifyingKey {
  try {
    const key = createPrivateKey(pem);
    if (algorithmOf(key) === '')
      throw new KeyFileError(`${path}: the key must be RSA of at least 2048 bits, or ECDSA on P-256, P-384 or P-521`);
    return { id: keyId(createPublicKey(key)), key };
  } catch (error) {
    throw error instanceof KeyFileError ? error : new KeyFileError(`${path} contains no private key`);
  }
}

function readPublicKey(block: string, path: string): KeyObject {
  try {
    const key = createPublicKey(block);
    if (algorithmOf(key) !== '') return key;
  } catch {
    // Reported below: OpenSSL's own errors do not name the file.
  }
  throw new KeyFileError(`${path} contains a key that is neither RSA nor ECDSA on P-256, P-384 or P-521, or too short`);
}

/** The `kid` of a public key: a hash of it. */
export function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}
