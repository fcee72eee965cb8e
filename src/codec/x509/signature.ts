import { constants, verify } from 'node:crypto';

import { DerError, DerReader, tags } from './der.ts';
import { type Algorithm, keyObject, type PublicKey, readAlgorithm } from './public-key.ts';

interface SignatureAlgorithm {
  readonly key: PublicKey['algorithm'];
  /** Absent: the message is signed directly. */
  readonly hash?: string;
  readonly isPss?: boolean;
  /** Name in errors when unsupported. */
  readonly insecure?: string;
}

const nullParameters = Buffer.from([tags.null, 0]);
const pssOid = '1.2.840.113549.1.1.10';
const maskOid = '1.2.840.113549.1.1.8';

const algorithms: { readonly [oid: string]: SignatureAlgorithm } = {
  '1.2.840.113549.1.1.4': { key: 'RSA', hash: 'md5', insecure: 'MD5-RSA' },
  '1.2.840.113549.1.1.5': { key: 'RSA', hash: 'sha1' },
  '1.3.14.3.2.29': { key: 'RSA', hash: 'sha1' },
  '1.2.840.113549.1.1.11': { key: 'RSA', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'RSA', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'RSA', hash: 'sha512' },
  '1.2.840.10040.4.3': { key: 'DSA', hash: 'sha1' },
  '2.16.840.1.101.3.4.3.2': { key: 'DSA', hash: 'sha256' },
  '1.2.840.10045.4.1': { key: 'ECDSA', hash: 'sha1' },
  '1.2.840.10045.4.3.2': { key: 'ECDSA', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ECDSA', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ECDSA', hash: 'sha512' },
  '1.3.101.112': { key: 'Ed25519' },
};

const pssHashes: { readonly [oid: string]: { readonly hash: string; readonly saltLength: bigint } } = {
  '2.16.840.1.101.3.4.2.1': { hash: 'sha256', saltLength: 32n },
  '2.16.840.1.101.3.4.2.2': { hash: 'sha384', saltLength: 48n },
  '2.16.840.1.101.3.4.2.3': { hash: 'sha512', saltLength: 64n },
};

function signatureAlgorithm({ oid, parameters }: Algorithm): SignatureAlgorithm | undefined {
  if (oid === pssOid) return parameters === undefined ? undefined : pssAlgorithm(parameters);
  const found = Object.hasOwn(algorithms, oid) ? algorithms[oid] : undefined;
  return found?.key === 'Ed25519' && parameters !== undefined ? undefined : found;
}

/** RFC 3447, A.2.3, with the salt length and mask of the hash. */
function pssAlgorithm(parameters: Buffer): SignatureAlgorithm | undefined {
  try {
    const { members } = new DerReader(parameters).sequence('pssParameters');
    const explicit = (tag: number): DerReader =>
      new DerReader(members.expect({ tag, tagClass: 2, isCompound: true, type: '' }).content);
    const hash = readAlgorithm(explicit(0));
    const mask = readAlgorithm(explicit(1));
    const maskHash = readAlgorithm(new DerReader(mask.parameters ?? Buffer.alloc(0)));
    const saltLength = explicit(2).integer();
    const trailer = members.atEnd ? 1n : explicit(3).integer();
    const plain = [hash, maskHash].every(({ parameters: own = nullParameters }) => own.equals(nullParameters));
    if (!plain || mask.oid !== maskOid || maskHash.oid !== hash.oid || trailer !== 1n) return undefined;
    const known = Object.hasOwn(pssHashes, hash.oid) ? pssHashes[hash.oid] : undefined;
    return known?.saltLength === saltLength ? { key: 'RSA', hash: known.hash, isPss: true } : undefined;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

const unimplemented = 'x509: cannot verify signature: algorithm unimplemented';

const keyTypes: { readonly [algorithm: string]: string } = {
  RSA: '*rsa.PublicKey',
  ECDSA: '*ecdsa.PublicKey',
  Ed25519: 'ed25519.PublicKey',
};

export interface Signed {
  readonly message: Buffer;
  readonly signature: Buffer;
  readonly algorithm: Algorithm;
  readonly publicKey: PublicKey | undefined;
  /** The signature is that of a certificate, for which SHA-1 is refused; requests may have it. */
  readonly isCertificate?: boolean;
}

/** The error in a signature; undefined when valid. */
export function signatureProblem(signed: Signed): string | undefined {
  const { message, signature, algorithm, publicKey, isCertificate = false } = signed;
  const used = signatureAlgorithm(algorithm);
  if (used === undefined) return unimplemented;
  if (used.insecure !== undefined) return `x509: cannot verify signature: insecure algorithm ${used.insecure}`;
  if (isCertificate && used.hash === 'sha1') {
    const name = used.key === 'RSA' ? 'SHA1-RSA' : `${used.key}-SHA1`;
    return `x509: cannot verify signature: insecure algorithm ${name}`;
  }
  const type = publicKey === undefined ? undefined : keyTypes[publicKey.algorithm];
  if (publicKey === undefined || type === undefined) return unimplemented;
  if (used.key !== publicKey.algorithm) {
    return `x509: signature algorithm specifies an ${used.key} public key, but have public key of type ${type}`;
  }
  const { bits = 0 } = publicKey;
  if (used.key === 'RSA' && bits < 1024) {
    return `crypto/rsa: ${bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`;
  }
  if (isGood(used, publicKey, message, signature)) return undefined;
  return used.key === 'RSA' ? 'crypto/rsa: verification error' : `x509: ${used.key} verification failure`;
}

function isGood(
  { hash, isPss }: SignatureAlgorithm,
  { encoded }: PublicKey,
  message: Buffer,
  signature: Buffer,
): boolean {
  const key = keyObject(encoded);
  if (key === undefined) return false;
  if (isPss !== true) return verify(hash, message, key, signature);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return verify(hash, message, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }, signature);
}
