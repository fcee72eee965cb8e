import type { KeyObject } from 'node:crypto';

/** The algorithms of RFC 7518, section 3.1, that RSA keys sign with. */
const ofRsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

/** The one of each elliptic curve, as OpenSSL calls it (RFC 7518, section 3.4). */
const ofCurves: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

/** Supported signature algorithms. There is no `none`, and there are no shared secrets. */
export const tokenAlgorithms: readonly string[] = [...ofRsa, ...ofCurves.values()];

/** The shortest RSA keys that may sign (RFC 7518, section 3.3). */
const minRsaBits = 2048;

/** The algorithms that a key can sign with, the usual one first; none when it cannot sign tokens. */
export function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'rsa') return modulusLength < minRsaBits ? [] : ofRsa;
  const ofCurve = asymmetricKeyType === 'ec' ? ofCurves.get(namedCurve) : undefined;
  return ofCurve === undefined ? [] : [ofCurve];
}

/** The algorithm that a key signs with; empty when it cannot sign tokens. */
export function algorithmOf(key: KeyObject): string {
  return algorithmsOf(key)[0] ?? '';
}
