import type { Authenticator, Credentials, PresentedToken } from '../api/authentication.ts';
import { unauthorized } from '../api/status-errors.ts';

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
  if (authorization === undefined) return none;
  const [scheme = '', token, more] = authorization.trim().split(' ', 3);
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return none;
  return token === '' ? { token: undefined, misplaced: more !== undefined } : { token, misplaced: false };
}

/** Authenticates by the token of the Authorization header. */
export function bearerTokenAuthenticator(tokens: Authenticator<PresentedToken>): Authenticator {
  return tokenAuthenticator(tokens, (credentials) => readBearer(credentials.header('authorization')).token);
}

/** Authenticates by the token that a WebSocket client offers as a subprotocol. */
export function webSocketTokenAuthenticator(tokens: Authenticator<PresentedToken>): Authenticator {
  return tokenAuthenticator(tokens, ({ webSocketToken }) => webSocketToken);
}

/** Unknown tokens are rejected. */
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
