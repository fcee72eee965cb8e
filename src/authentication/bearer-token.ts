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

/** Users by the token of the Authorization header. */
export function bearerTokenAuthenticator(tokens: Authenticator<PresentedToken>): Authenticator {
  return tokenAuthenticator(tokens, (credentials) => readBearer(credentials.header('authorization')).token);
}

/** Users by the token that a WebSocket client offers as a subprotocol. */
export function webSocketTokenAuthenticator(tokens: Authenticator<PresentedToken>): Authenticator {
  return tokenAuthenticator(tokens, ({ webSocketToken }) => webSocketToken);
}

/** A token that nobody knows is refused. */
function tokenAuthenticator(
  tokens: Authenticator<PresentedToken>,
  tokenOf: (credentials: Credentials) => string | undefined,
): Authenticator {
  return {
    authenticate(credentials) {
      const token = tokenOf(credentials);
      if (token === undefined) return undefined;
      const answer = tokens.authenticate({ token, audiences: [] });
      if (answer instanceof Promise) return answer.then(orRefuse);
      return orRefuse(answer);
    },
  };
}

function orRefuse<T>(identity: T | undefined): T {
  if (identity === undefined) throw unauthorized();
  return identity;
}
