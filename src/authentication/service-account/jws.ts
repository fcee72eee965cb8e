import { constants, type KeyObject, sign, verify } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../api/json.ts';

interface Algorithm {
  readonly hash: 'sha256' | 'sha384' | 'sha512';
  readonly keyType: 'rsa' | 'ec';
  /** OpenSSL's name of the curve that RFC 7518, section 3.4 prescribes. */
  readonly curve?: string;
  readonly pss?: true;
}

/** Supported signature algorithms. */
export const tokenAlgorithms = (): readonly string[] => [...algorithms.keys()];

/**
 * Everything there is to know of the asymmetric algorithms of RFC 7518, section 3.1. There is no `none`, and there are
 * no shared secrets.
 */
const algorithms: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['RS256', { hash: 'sha256', keyType: 'rsa' }],
  ['RS384', { hash: 'sha384', keyType: 'rsa' }],
  ['RS512', { hash: 'sha512', keyType: 'rsa' }],
  ['PS256', { hash: 'sha256', keyType: 'rsa', pss: true }],
  ['PS384', { hash: 'sha384', keyType: 'rsa', pss: true }],
  ['PS512', { hash: 'sha512', keyType: 'rsa', pss: true }],
  ['ES256', { hash: 'sha256', keyType: 'ec', curve: 'prime256v1' }],
  ['ES384', { hash: 'sha384', keyType: 'ec', curve: 'secp384r1' }],
  ['ES512', { hash: 'sha512', keyType: 'ec', curve: 'secp521r1' }],
]);

/** A parsed token in compact form (RFC 7515, section 7.1); nothing is verified yet. */
export interface ParsedToken {
  readonly algorithm: string;
  readonly keyId: string;
  /** It has critical extensions (RFC 7515, section 4.1.11); none are supported. */
  readonly hasExtensions: boolean;
  readonly payload: JsonObject;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

/** Undefined for anything that is not a JWS. */
export function parseToken(token: string): ParsedToken | undefined {
  const [head, body, signature, more] = token.split('.', 4);
  if (head === undefined || body === undefined || signature === undefined || more !== undefined) return undefined;
  const header = decodePart(head);
  const payload = decodePart(body);
  if (header === undefined || payload === undefined || !/^[\w-]*$/.test(signature)) return undefined;
  const { alg, kid, crit } = header;
  return {
    algorithm: typeof alg === 'string' ? alg : '',
    keyId: typeof kid === 'string' ? kid : '',
    hasExtensions: crit !== undefined,
    payload,
    signed: Buffer.from(`${head}.${body}`),
    signature: Buffer.from(signature, 'base64url'),
  };
}

function decodePart(part: string): JsonObject | undefined {
  if (!/^[\w-]+$/.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value as JsonObject) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Verifies the signature with a public key. The key determines the algorithm: the token cannot choose another. */
export function verifyToken({ algorithm, signed, signature, hasExtensions }: ParsedToken, key: KeyObject): boolean {
  const known = algorithms.get(algorithm);
  if (known === undefined || hasExtensions || !fits(known, key)) return false;
  return verify(known.hash, signed, optionsOf(known, key), signature);
}

/** Signs claims with a private key. */
export function signToken(claims: JsonObject, key: KeyObject, keyId: string): string {
  const alg = algorithmOf(key);
  const known = algorithms.get(alg);
  if (known === undefined) throw new Error(`${alg} keys cannot sign`);
  const signed = `${encodePart({ alg, kid: keyId })}.${encodePart(claims)}`;
  return `${signed}.${sign(known.hash, Buffer.from(signed), optionsOf(known, key)).toString('base64url')}`;
}

/** The algorithm of a private key; empty when it cannot sign tokens. */
export function algorithmOf(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  for (const [name, algorithm] of algorithms) if (algorithm.keyType === 'ec' && fits(algorithm, key)) return name;
  return '';
}

function fits({ keyType, curve }: Algorithm, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === keyType && (curve === undefined || asymmetricKeyDetails?.namedCurve === curve);
}

function optionsOf({ keyType, pss }: Algorithm, key: KeyObject) {
  if (keyType === 'ec') return { key, dsaEncoding: 'ieee-p1363' } as const;
  const padding = pss === true ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  return { key, padding, ...(pss === true ? { saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {}) };
}

function encodePart(part: JsonObject): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
