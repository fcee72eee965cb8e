import type { Authenticator } from '../../api/authentication.ts';
import { unauthorized } from '../../api/status-errors.ts';
import { readBearer } from '../../authentication/bearer-token.ts';
import { anonymousUser, authenticatedUser, type UserInfo } from '../../api/user.ts';
import type { RequestContext, Stage } from '../request-context.ts';

const misplacedToken = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/**
 * Tells who makes the request. Requests that carry no credentials are anonymous, if that is allowed; credentials that do not hold are refused.
 * A connection's certificate is read once: nothing else identifies requests without an Authorization header.
 */
export function authenticateStage(authenticator: Authenticator, allowAnonymous: boolean): Stage {
  const usersOfConnections = new WeakMap<object, UserInfo>();
  const anonymous = (): UserInfo => {
    if (!allowAnonymous) throw unauthorized();
    return anonymousUser;
  };
  const authenticate = async (context: RequestContext, authorization: string | undefined): Promise<void> => {
    const { exchange } = context;
    if (readBearer(authorization).misplaced) context.warnings.add(misplacedToken);
    const user = await authenticator.authenticate({
      authorization,
      clientCertificate: () => exchange.clientCertificate(),
    });
    context.user = user === undefined ? anonymous() : authenticatedUser(user);
    if (authorization === undefined) usersOfConnections.set(exchange.connection, context.user);
  };
  return {
    name: 'authentication',
    run(context) {
      const authorization = context.exchange.header('authorization');
      const known = authorization === undefined ? usersOfConnections.get(context.exchange.connection) : undefined;
      if (known === undefined) return authenticate(context, authorization);
      context.user = known;
    },
  };
}
