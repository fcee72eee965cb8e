import { createPublicKey, type KeyObject } from 'node:crypto';
import { Base64Error, canonicalBase64 } from '../../api/bytes/base64.ts';
import type { JsonTree } from '../../api/json/json-tree.ts';
import { DerError } from '../../codec/x509/der.ts';
import { parseCertificate } from '../../codec/x509/certificate.ts';
import { goList, goPointer, goRaw, type GoStruct, goStruct, goText } from '../../codec/go/go-types.ts';
import { decodeGo, goDialects } from '../../codec/go/go-values.ts';
import { decodeJose, joseBytes, JoseError } from './jose-values.ts';

const text = goText();
const bytes = goPointer(joseBytes);
const fields = {
  use: text,
  kty: text,
  kid: text,
  crv: text,
  alg: text,
  k: bytes,
  x: bytes,
  y: bytes,
  n: bytes,
  e: bytes,
  d: bytes,
  p: bytes,
  q: bytes,
  dp: bytes,
  dq: bytes,
  qi: bytes,
  x5c: goList(text),
  x5t: text,
  'x5t#S256': text,
} as const;
const rawKey = goStruct('jose.rawJSONWebKey', fields);
type RawKey = GoStruct<typeof fields>;

/** A JSON Web Key (RFC 7517, section 4). */
export interface Jwk {
  readonly id: string;
  /** Its public part; undefined for a secret, which verifies no token. */
  readonly key: KeyObject | undefined;
  /** It may be embedded in a token. */
  readonly isPublic: boolean;
}

const curveBytes: ReadonlyMap<string, number> = new Map([
  ['P-256', 32],
  ['P-384', 48],
  ['P-521', 66],
]);

/** Reads a key; undefined for null. Throws a JoseError or a GoDecodeError. */
export function readJwk(tree: JsonTree): Jwk | undefined {
  if (tree === null) return undefined;
  const raw = decodeJose(rawKey, tree);
  parseCertificateChain(raw.x5c, (why) => `go-jose/go-jose: failed to unmarshal x5c field: ${why}`);
  return { id: raw.kid, key: publicKeyOf(raw), isPublic: isPublic(raw) };
}

const keySet = goStruct('jose.JSONWebKeySet', { keys: goList({ ...goRaw, name: 'jose.JSONWebKey' }) });

/** The keys of a set (RFC 7517, section 5). Throws as above. */
export function* jwksIn(tree: JsonTree): Generator<Jwk> {
  for (const each of decodeGo(keySet, tree, goDialects.standard).keys) {
    const key = readJwk(each ?? null);
    if (key !== undefined) yield key;
  }
}

function isPublic({ kty, d, n, e }: RawKey): boolean {
  if (kty === 'oct' || d !== undefined) return false;
  return kty !== 'RSA' || (n !== undefined && e !== undefined && e.some((byte) => byte !== 0));
}

function publicKeyOf(raw: RawKey): KeyObject | undefined {
  switch (raw.kty) {
    case 'EC':
      return ellipticKey(raw);
    case 'RSA':
      if (raw.n === undefined || raw.e === undefined) throw wrong('invalid RSA key, missing n/e values');
      return imported({ kty: 'RSA', n: encoded(raw.n), e: encoded(raw.e) });
    case 'oct':
      if (raw.k === undefined) throw wrong('invalid OCT (symmetric) key, missing k value');
      return undefined;
    case 'OKP':
      if (raw.crv !== 'Ed25519' || raw.x === undefined) throw wrong(`unknown curve ${raw.crv}'`);
      return imported({ kty: 'OKP', crv: raw.crv, x: encoded(raw.x) });
    default:
      throw wrong(`unknown json web key type '${raw.kty}'`);
  }
}

function ellipticKey({ crv, x, y }: RawKey): KeyObject {
  const size = curveBytes.get(crv);
  if (size === undefined) throw wrong(`unsupported elliptic curve '${crv}'`);
  if (x === undefined || y === undefined) throw wrong('invalid EC key, missing x/y values');
  if (x.length !== size) throw wrong('invalid EC public key, wrong length for x');
  if (y.length !== size) throw wrong('invalid EC public key, wrong length for y');
  const key = imported({ kty: 'EC', crv, x: encoded(x), y: encoded(y) });
  if (key === undefined) throw wrong('invalid EC key, X/Y are not on declared curve');
  return key;
}

/** Undefined for values that are no key: nothing is signed by it. */
function imported(key: { readonly kty: string; readonly [part: string]: string }): KeyObject | undefined {
  try {
    return createPublicKey({ key: { ...key }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function encoded(part: Buffer): string {
  return part.toString('base64url');
}

function wrong(what: string): JoseError {
  return new JoseError(`go-jose/go-jose: ${what}`);
}

/** Checks the certificates of an `x5c` (RFC 7515, section 4.1.6). Throws a JoseError. */
export function parseCertificateChain(chain: readonly string[], tell: (why: string) => string): void {
  for (const encodedDer of chain) {
    try {
      parseCertificate(Buffer.from(canonicalBase64(encodedDer), 'base64'));
    } catch (error) {
      if (!(error instanceof DerError || error instanceof Base64Error)) throw error;
      throw new JoseError(tell(error.message), { cause: error });
    }
  }
}
