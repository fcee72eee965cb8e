import type { Authenticator, Identity } from '../../api/authentication.ts';
import { unauthorized } from '../../api/status-errors.ts';
import { authenticatedUser } from '../../api/user.ts';
import { readBearer } from '../../authentication/bearer-token.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

const misplacedToken = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Authenticates the request; 401 if no authenticator accepts it. */
export function authenticateStage(authenticator: Authenticator): Stage {
  return {
    name: 'authentication',
    run(context) {
      if (readBearer(context.exchange.header('authorization')).misplaced) context.warnings.add(misplacedToken);
      const answer = authenticator.authenticate(context.exchange);
      if (answer instanceof Promise) return answer.then((late) => setUser(context, late));
      setUser(context, answer);
    },
  };
}

function setUser(context: RequestContext, identity: Identity | undefined): void {
  if (identity === undefined) throw unauthorized();
  for (const warning of identity.warnings ?? []) context.warnings.add(warning);
  context.user = authenticatedUser(identity.user);
}
