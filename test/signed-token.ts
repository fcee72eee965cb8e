import { type KeyObject, sign } from 'node:crypto';
import type { JsonObject } from '../src/api/json/json.ts';

const curveHashes: ReadonlyMap<string, readonly [algorithm: string, hash: string]> = new Map([
  ['prime256v1', ['ES256', 'sha256']],
  ['secp384r1', ['ES384', 'sha384']],
  ['secp521r1', ['ES512', 'sha512']],
]);

/** A token in compact form (RFC 7515), with the usual algorithm of the private key; apart from the server's library. */
export function signedToken(claims: JsonObject, key: KeyObject, kid: string): string {
  const { namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const [alg, hash] = curveHashes.get(namedCurve) ?? ['RS256', 'sha256'];
  const signed = `${encoded({ alg, kid })}.${encoded(claims)}`;
  return `${signed}.${sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
