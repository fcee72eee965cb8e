/** What an `Authorization: Bearer` header says. */
export interface BearerHeader {
  /** Undefined when there is none. What follows a blank after the token is nothing to anybody. */
  readonly token: string | undefined;
  /** The header has a token behind one blank too many, which is not looked at. */
  readonly misplaced: boolean;
}

const none: BearerHeader = { token: undefined, misplaced: false };

/** Reads an Authorization header; others than those of bearers have no token. */
export function readBearer(authorization: string | undefined): BearerHeader {
  if (authorization === undefined) return none;
  const [scheme = '', token, more] = authorization.trim().split(' ', 3);
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return none;
  return token === '' ? { token: undefined, misplaced: more !== undefined } : { token, misplaced: false };
}
