import type { JsonObject } from '../../api/json/json.ts';
import type { AccountTokens } from './account-tokens.ts';
import { algorithmOf } from './token-algorithms.ts';

export const openIdPath = '/.well-known/openid-configuration';
export const jwksPath = '/openid/v1/jwks';

/** The keys with which others verify tokens (RFC 7517, section 5). */
export async function keySet(tokens: AccountTokens): Promise<JsonObject> {
  const verifying = await tokens.publishedKeys();
  const keys = verifying.map(({ id, key }): JsonObject => {
    const { kty, n, e, crv, x, y } = key.export({ format: 'jwk' }) as { readonly [name: string]: string };
    const own = kty === 'RSA' ? { n, e } : { crv, x, y };
    return { use: 'sig', kty, kid: id, alg: algorithmOf(key), ...own } as JsonObject;
  });
  return { keys };
}

/** The discovery document (OpenID Connect Discovery 1.0, section 3). `address`: this server as others reach it. */
export async function openIdConfiguration(tokens: AccountTokens, address: string): Promise<JsonObject> {
  const verifying = await tokens.publishedKeys();
  return {
    issuer: tokens.issuer,
    jwks_uri: tokens.config.jwksUri ?? `https://${address}${jwksPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(verifying.map(({ key }) => algorithmOf(key)))].toSorted(),
  };
}

/** Discovery works only for an issuer that is a URL. */
export function isDiscoverable({ issuer }: AccountTokens): boolean {
  const url = URL.parse(issuer);
  return url !== null && url.protocol === 'https:' && url.search === '' && url.hash === '';
}
