import type { Authenticator, Credentials, PresentedToken } from '../api/authentication.ts';
import { unauthorized } from '../api/status-errors.ts';

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

/** What a request presents in its Authorization header. */
export interface PresentedBearer {
  readonly presented: PresentedToken | undefined;
  readonly misplaced: boolean;
}

const nothing: PresentedBearer = { presented: undefined, misplaced: false };

/** The header that a connection has shown last. It is looked up by its hash: no guess learns by time how far it was right. */
const lastShown = new WeakMap<object, ReadonlyMap<string, PresentedBearer>>();

/** The same object as long as a connection shows the same header, so that what is found out about it need not be found out again. */
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

/** Users by the token of the Authorization header. */
export function bearerTokenAuthenticator(tokens: Authenticator<PresentedToken>): Authenticator {
  return tokenAuthenticator(tokens, (credentials) => bearerOf(credentials).presented);
}

/** Users by the token that a WebSocket client offers as a subprotocol. */
export function webSocketTokenAuthenticator(tokens: Authenticator<PresentedToken>): Authenticator {
  return tokenAuthenticator(tokens, ({ webSocketToken: token }) =>
    token === undefined ? undefined : { token, audiences: [] },
  );
}

/** A token that nobody knows is refused. */
function tokenAuthenticator(
  tokens: Authenticator<PresentedToken>,
  presentedBy: (credentials: Credentials) => PresentedToken | undefined,
): Authenticator {
  return {
    authenticate(credentials) {
      const presented = presentedBy(credentials);
      if (presented === undefined) return undefined;
      const answer = tokens.authenticate(presented);
      if (answer instanceof Promise) return answer.then(orRefuse);
      return orRefuse(answer);
    },
  };
}

function orRefuse<T>(identity: T | undefined): T {
  if (identity === undefined) throw unauthorized();
  return identity;
}
