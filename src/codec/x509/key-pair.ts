import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { parseCertificate } from './certificate.ts';
import { DerError } from './der.ts';
import { type PemBlock, pemBlocks } from './pem.ts';
import type { PublicKey } from './public-key.ts';

/** Checks a PEM certificate and its key; error messages as in Go's `crypto/tls`, undefined if they match. */
export function keyPairError(certificate: string, key: string): string | undefined {
  const certificates = pemBlocks(certificate);
  const found = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (found === undefined) return `tls: ${missingCertificate(certificates.map(({ type }) => type))}`;
  const keys = pemBlocks(key);
  const private_ = keys.findIndex(({ type }) => isKey(type));
  const keyBlock = keys[private_];
  if (keyBlock === undefined) return `tls: ${missingKey(keys.map(({ type }) => type))}`;
  try {
    return mismatch(parseCertificate(found.bytes).publicKey, keyBlock);
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

const keyTypes: { readonly [algorithm in PublicKey['algorithm']]?: string } = {
  RSA: 'rsa',
  ECDSA: 'ec',
  Ed25519: 'ed25519',
};

function mismatch(publicKey: PublicKey | undefined, block: PemBlock): string | undefined {
  const privateKey = privateKeyOf(block);
  if (privateKey === undefined) return 'tls: failed to parse private key';
  if (privateKey.asymmetricKeyType === 'x25519') return 'tls: found unknown private key type in PKCS#8 wrapping';
  if (!isKnown(privateKey)) return 'tls: failed to parse private key';
  const type = publicKey && keyTypes[publicKey.algorithm];
  if (type === undefined) return 'tls: unknown public key algorithm';
  if (type !== privateKey.asymmetricKeyType) return 'tls: private key type does not match public key type';
  const own = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return own.equals(publicKey?.encoded ?? Buffer.alloc(0)) ? undefined : 'tls: private key does not match public key';
}

const knownCurves: ReadonlySet<string | undefined> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);

function isKnown({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (type === 'ec') return knownCurves.has(details?.namedCurve);
  return type === 'rsa' || type === 'ed25519';
}

/** Tries all encodings, whatever the PEM type says. */
function privateKeyOf({ bytes }: PemBlock): KeyObject | undefined {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: bytes, format: 'der', type });
    } catch {
      // Try the next encoding.
    }
  }
  return undefined;
}

function isKey(type: string): boolean {
  return type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');
}

function missingCertificate(skipped: readonly string[]): string {
  const [first] = skipped;
  if (first === undefined) return 'failed to find any PEM data in certificate input';
  if (skipped.length === 1 && first.endsWith('PRIVATE KEY')) {
    return 'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function missingKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE') {
    return 'found a certificate rather than a key in the PEM for the private key';
  }
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}
