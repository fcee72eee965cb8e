import { constants, type KeyObject, sign, verify } from 'node:crypto';
import { decodeRawUrlBase64 } from '../../api/bytes/base64.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { JsonTree } from '../../api/json/json-tree.ts';
import { goStruct, goText } from '../../codec/go/go-types.ts';
import { decodeGo, goDialects } from '../../codec/go/go-values.ts';
import { asJose, isUnreadable, JoseError, treeOf } from './jose-values.ts';
import { type JwsHeader, readHeader } from './jws-header.ts';
import { algorithmOf, algorithmsOf } from './token-algorithms.ts';

/** A token in compact form (RFC 7515, section 7.1); nothing is verified yet. */
export interface ParsedToken extends JwsHeader {
  readonly payload: Buffer;
  readonly signature: Buffer;
  readonly signed: Buffer;
}

/** What Unicode calls white space, which is ignored wherever it is. */
const blanks = /\p{White_Space}+/gu;

const issued = goStruct('struct { Issuer string "json:\\"iss\\"" }', { iss: goText() });

/** The issuer that a token claims, which is not verified yet. Throws a JoseError for what is no token. */
export function readUntrustedIssuer(text: string): string {
  if (text.trimStart().startsWith('{')) throw new JoseError('token is not compact JWT');
  const parts = text.split('.', 4);
  if (parts.length !== 3) throw new JoseError('malformed token');
  const payload = asJose(
    () => decodeRawUrlBase64(parts[1] ?? ''),
    (why) => `error decoding token: ${why}`,
  );
  return asJose(
    () => decodeGo(issued, treeOf(payload), goDialects.standard).iss,
    (why) => `while unmarshaling token: ${why}`,
  );
}

/** The issuer that a token names, unverified; undefined for what is no token. */
export function untrustedIssuer(text: string): string | undefined {
  return ifToken(() => readUntrustedIssuer(text));
}

/** Undefined for what is no token. */
export function parseIfToken(text: string): ParsedToken | undefined {
  return ifToken(() => parseToken(text));
}

function ifToken<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof JoseError) return undefined;
    throw error;
  }
}

/** What is in a token that a key has signed, or why it cannot be read. */
export type ReadToken<Value> =
  | { readonly value: Value; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** Reads the payload of a token if a public key has signed it. `read` throws GoDecodeErrors. */
export function readSigned<Value>(
  token: ParsedToken,
  key: KeyObject,
  read: (payload: JsonTree) => Value,
): ReadToken<Value> {
  const problem = signatureProblem(token, key);
  if (problem !== undefined) return { problem };
  try {
    return { value: read(treeOf(token.payload)) };
  } catch (error) {
    if (isUnreadable(error)) return { problem: error.message };
    throw error;
  }
}

/** Throws a JoseError for what is no token. */
export function parseToken(text: string): ParsedToken {
  const parts = text.replaceAll(blanks, '').split('.', 4);
  if (parts.length !== 3) throw new JoseError('go-jose/go-jose: compact JWS format must have three parts');
  return asJose(() => {
    const [head, payload, signature] = parts.map(decodeRawUrlBase64) as [Buffer, Buffer, Buffer]; // three, see above
    const header = readHeader(head);
    const content = header.isUnencoded ? payload : Buffer.from(payload.toString('base64url'));
    return {
      ...header,
      payload,
      signature,
      signed: Buffer.concat([Buffer.from(`${head.toString('base64url')}.`), content]),
    };
  });
}

const failed = 'go-jose/go-jose: error in cryptographic primitive';

/**
 * Why a public key has not signed the token; undefined if it has. The key determines the algorithms: a token cannot
 * choose another.
 */
export function signatureProblem(token: ParsedToken, key: KeyObject): string | undefined {
  const { problem, algorithm, signed, signature } = token;
  if (problem !== undefined) return problem === '' ? failed : problem;
  if (!algorithmsOf(key).includes(algorithm)) return failed;
  return verify(hashOf(algorithm), signed, parametersOf(key, algorithm), signature) ? undefined : failed;
}

/** Signs claims with a private key. */
export function signToken(claims: JsonObject, key: KeyObject, keyId: string): string {
  const algorithm = algorithmOf(key);
  const encoded = (part: JsonObject): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encoded({ alg: algorithm, kid: keyId })}.${encoded(claims)}`;
  const signature = sign(hashOf(algorithm), Buffer.from(signed), parametersOf(key, algorithm));
  return `${signed}.${signature.toString('base64url')}`;
}

/** RFC 7518, section 3.1: the digits are the size of the hash. */
function hashOf(algorithm: string): string {
  return `sha${algorithm.slice(2)}`;
}

function parametersOf(key: KeyObject, algorithm: string) {
  if (!algorithm.startsWith('PS')) return { key, dsaEncoding: 'ieee-p1363' } as const;
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
}
