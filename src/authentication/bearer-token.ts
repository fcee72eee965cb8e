/** The token of an `Authorization: Bearer` header; undefined when there is none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const [scheme = '', token = '', more] = authorization.trim().split(' ', 3);
  if (scheme.toLowerCase() !== 'bearer' || token === '' || more !== undefined) return undefined;
  return token;
}
