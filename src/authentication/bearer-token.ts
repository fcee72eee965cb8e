import type { Authenticator, Credentials, PresentedToken } from '../api/contracts/authentication.ts';
import { headerText } from '../api/text/header-values.ts';
import { unauthorized } from '../api/errors/status-errors.ts';
import { whiteSpace, withoutEdges } from '../api/text/text-edges.ts';

/** Parsed `Authorization: Bearer` header. */
export interface BearerHeader {
  /** Undefined when absent. Anything after a space behind the token is ignored. */
  readonly token: string | undefined;
  /** The token follows more than one space, and is ignored. */
  readonly misplaced: boolean;
}

const none: BearerHeader = { token: undefined, misplaced: false };

/** Parses an Authorization header; other schemes yield no token. */
export function readBearer(authorization: string | undefined): BearerHeader {
  return authorization === undefined ? none : tokenIn(headerText(authorization));
}

/** Parses the decoded value of an Authorization header. */
export function tokenIn(authorization: string): BearerHeader {
  const [scheme = '', token, more] = withoutEdges(authorization, whiteSpace).split(' ', 3);
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return none;
  return token === '' ? { token: undefined, misplaced: more !== undefined } : { token, misplaced: false };
}

/** The parsed Authorization header of a request. */
export interface PresentedBearer {
  readonly presented: PresentedToken | undefined;
  readonly misplaced: boolean;
}

const nothing: PresentedBearer = { presented: undefined, misplaced: false };

/**
 * Each connection's last header. A map compares by hash first, so timing does not reveal how much of a guess was right.
 */
const lastShown = new WeakMap<object, ReadonlyMap<string, PresentedBearer>>();

/** Returns the same object while a connection sends the same header, so that callers can cache by identity. */
export function bearerOf(credentials: Pick<Credentials, 'connection' | 'header'>): PresentedBearer {
  const authorization = credentials.header('authorization');
  if (authorization === undefined) return nothing;
  const { connection } = credentials;
  const known = lastShown.get(connection)?.get(authorization);
  if (known !== undefined) return known;
  const { token, misplaced } = readBearer(authorization);
  const bearer = { presented: token === undefined ? undefined : { token, audiences: [] }, misplaced };
  lastShown.set(connection, new Map([[authorization, bearer]]));
  return bearer;
}

/** Authenticates by the token of the Authorization header. */
export function bearerTokenAuthenticator(tokens: Authenticator<PresentedToken>): Authenticator {
  return tokenAuthenticator(tokens, (credentials) => bearerOf(credentials).presented);
}

/** Authenticates by the token that a WebSocket client offers as a subprotocol. */
export function webSocketTokenAuthenticator(tokens: Authenticator<PresentedToken>): Authenticator {
  return tokenAuthenticator(tokens, ({ webSocketToken: token }) =>
    token === undefined ? undefined : { token, audiences: [] },
  );
}

/** Unknown tokens are rejected. */
function tokenAuthenticator(
  tokens: Authenticator<PresentedToken>,
  presentedBy: (credentials: Credentials) => PresentedToken | undefined,
): Authenticator {
  return {
    authenticate(credentials) {
      const presented = presentedBy(credentials);
      if (presented === undefined) return undefined;
      const result = tokens.authenticate(presented);
      if (result instanceof Promise) return result.then(orRefuse);
      return orRefuse(result);
    },
  };
}

function orRefuse<T>(identity: T | undefined): T {
  if (identity === undefined) throw unauthorized();
  return identity;
}
