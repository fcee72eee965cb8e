import { createPublicKey, type KeyObject } from 'node:crypto';

import { DerError, DerReader, readBigInteger, readOid, tags } from './der.ts';

/** A public key as certificates and requests carry it (RFC 5280, 4.1.2.7). */
export interface PublicKey {
  readonly algorithm: 'RSA' | 'ECDSA' | 'Ed25519' | 'X25519' | 'DSA';
  /** Bits of the modulus of an RSA key. */
  readonly bits?: number;
  /** `P-256` of an ECDSA key. */
  readonly curve?: string;
  /** The SubjectPublicKeyInfo. */
  readonly encoded: Buffer;
}

export interface KeyInfo {
  readonly oid: string;
  /** Encoded algorithm parameters; absent when there are none. */
  readonly parameters: Buffer | undefined;
  readonly key: Buffer;
  readonly encoded: Buffer;
}

/** Runs `read`; malformed encodings are reported as `text`. */
export function step<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) throw new DerError(text);
    throw error;
  }
}

const encodedNull = Buffer.from([tags.null, 0]);

const curves: { readonly [oid: string]: { readonly name: string; readonly bytes: number } } = {
  '1.3.132.0.33': { name: 'P-224', bytes: 28 },
  '1.2.840.10045.3.1.7': { name: 'P-256', bytes: 32 },
  '1.3.132.0.34': { name: 'P-384', bytes: 48 },
  '1.3.132.0.35': { name: 'P-521', bytes: 66 },
};

const readers: { readonly [oid: string]: (info: KeyInfo) => PublicKey } = {
  '1.2.840.113549.1.1.1': rsaKey,
  '1.2.840.10045.2.1': ecdsaKey,
  '1.3.101.112': ed25519Key,
  '1.3.101.110': x25519Key,
  '1.2.840.10040.4.1': dsaKey,
};

/** Undefined when the algorithm is unknown. */
export function readPublicKey(info: KeyInfo): PublicKey | undefined {
  return Object.hasOwn(readers, info.oid) ? readers[info.oid]?.(info) : undefined;
}

export function readKeyInfo(reader: DerReader): KeyInfo {
  const { members, whole } = reader.sequence('publicKeyInfo');
  const { oid, parameters } = readAlgorithm(members);
  return { oid, parameters, key: members.bitString(), encoded: whole };
}

export interface Algorithm {
  readonly oid: string;
  readonly parameters: Buffer | undefined;
}

export function readAlgorithm(reader: DerReader): Algorithm {
  const { members } = reader.sequence('AlgorithmIdentifier');
  const oid = members.oid();
  return { oid, parameters: members.atEnd ? undefined : members.any().whole };
}

function rsaKey({ parameters, key, encoded }: KeyInfo): PublicKey {
  if (parameters?.equals(encodedNull) !== true) throw new DerError('x509: RSA key missing NULL parameters');
  const { members } = step('x509: invalid RSA public key', () => new DerReader(key).sequence('pkcs1PublicKey'));
  const number = (text: string): bigint =>
    step(text, () => readBigInteger(members.expect({ tag: tags.integer, type: 'int' }).content));
  const modulus = number('x509: invalid RSA modulus');
  const exponent = number('x509: invalid RSA public exponent');
  if (modulus <= 0n) throw new DerError('x509: RSA modulus is not a positive number');
  if (exponent <= 0n) throw new DerError('x509: RSA public exponent is not a positive number');
  return { algorithm: 'RSA', bits: modulus.toString(2).length, encoded };
}

function ecdsaKey({ parameters = Buffer.alloc(0), key, encoded }: KeyInfo): PublicKey {
  const oid = step('x509: invalid ECDSA parameters', () =>
    readOid(new DerReader(parameters).expect({ tag: tags.oid, type: 'ObjectIdentifier' }).content),
  );
  const curve = Object.hasOwn(curves, oid) ? curves[oid] : undefined;
  if (curve === undefined) throw new DerError('x509: unsupported elliptic curve');
  if (key[0] !== 4) throw new DerError('ecdsa: invalid uncompressed public key');
  const shortName = curve.name.replace('-', '');
  if (key.length !== 1 + 2 * curve.bytes) throw new DerError(`invalid ${shortName} point encoding`);
  if (keyObject(encoded) === undefined) throw new DerError(`${shortName} point not on curve`);
  return { algorithm: 'ECDSA', curve: curve.name, encoded };
}

function ed25519Key({ parameters, key, encoded }: KeyInfo): PublicKey {
  if (parameters !== undefined) throw new DerError('x509: Ed25519 key encoded with illegal parameters');
  if (key.length !== 32) throw new DerError('x509: wrong Ed25519 public key size');
  return { algorithm: 'Ed25519', encoded };
}

function x25519Key({ parameters, key, encoded }: KeyInfo): PublicKey {
  if (parameters !== undefined) throw new DerError('x509: X25519 key encoded with illegal parameters');
  if (key.length !== 32) throw new DerError('crypto/ecdh: invalid public key');
  return { algorithm: 'X25519', encoded };
}

function dsaKey({ parameters = Buffer.alloc(0), key, encoded }: KeyInfo): PublicKey {
  const integer = (reader: DerReader): bigint =>
    readBigInteger(reader.expect({ tag: tags.integer, type: 'int' }).content);
  const value = step('x509: invalid DSA public key', () => integer(new DerReader(key)));
  const domain = step('x509: invalid DSA parameters', () => {
    const { members } = new DerReader(parameters).sequence('');
    return [integer(members), integer(members), integer(members)];
  });
  if ([value, ...domain].some((number) => number <= 0n)) {
    throw new DerError('x509: zero or negative DSA parameter');
  }
  return { algorithm: 'DSA', encoded };
}

/** The key as a node:crypto KeyObject; undefined when unsupported. */
export function keyObject(encoded: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: encoded, format: 'der', type: 'spki' });
  } catch {
    // OpenSSL's reasons mean nothing to clients.
    return undefined;
  }
}
