import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigError } from '../../api/config-error.ts';
import { algorithmOf } from './jws.ts';

/** A key that verifies tokens. */
export interface VerifyingKey {
  /** As tokens and key sets name it. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The keys of service account tokens. */
export interface TokenKeys {
  readonly signing: VerifyingKey;
  /** Those of earlier signers included. */
  readonly verifying: readonly VerifyingKey[];
}

/** A file of keys that cannot be used. */
export class KeyFileError extends ConfigError {
  override readonly name = 'KeyFileError';
  override readonly code = 'KEY_FILE';
}

const pemBlock = /-----BEGIN ([A-Z ]+)-----[^-]*-----END [A-Z ]+-----/g;

/** The public keys of a PEM file, which may hold private keys, too. Throws a KeyFileError. */
export function publicKeys(pem: string, path: string): readonly VerifyingKey[] {
  const keys = [...pem.matchAll(pemBlock)].flatMap(([block, label = '']) =>
    label.endsWith('PRIVATE KEY') || label.endsWith('PUBLIC KEY') ? readPublicKey(block, path) : [],
  );
  if (keys.length === 0) throw new KeyFileError(`${path} holds no key`);
  return keys.map((key) => ({ id: keyId(key), key }));
}

/** The private key of a PEM file. Throws a KeyFileError. */
export function privateKey(pem: string, path: string): VerifyingKey {
  try {
    const key = createPrivateKey(pem);
    if (algorithmOf(key) === '')
      throw new KeyFileError(`${path}: the key must be RSA, or ECDSA on P-256, P-384 or P-521`);
    return { id: keyId(createPublicKey(key)), key };
  } catch (error) {
    throw error instanceof KeyFileError ? error : new KeyFileError(`${path} holds no private key`);
  }
}

function readPublicKey(block: string, path: string): KeyObject {
  try {
    const key = createPublicKey(block);
    if (algorithmOf(key) !== '') return key;
  } catch {
    // Told below: OpenSSL's own errors say nothing of the file.
  }
  throw new KeyFileError(`${path} holds a key that is neither RSA nor ECDSA on P-256, P-384 or P-521`);
}

/** The name of a public key, from which nobody learns the key itself. */
export function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}
