import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../../api/authorization.ts';
import { forbiddenError } from '../../authorization/refusal.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

/** Asks whether the user may do what the request says. */
export function authorizeStage(authorizer: Authorizer): Stage {
  return {
    name: 'authorization',
    run(context) {
      const attributes = attributesOf(context);
      const result = authorizer.authorize(attributes);
      if (result instanceof Promise) return result.then((late) => refuseUnlessAllowed(attributes, late));
      refuseUnlessAllowed(attributes, result);
    },
  };
}

function refuseUnlessAllowed(attributes: AuthorizationAttributes, { decision, reason }: AuthorizationResult): void {
  if (decision !== 'allow') throw forbiddenError(attributes, reason);
}

/** What the request asks to do. */
export function attributesOf({ user, info, exchange }: RequestContext): AuthorizationAttributes {
  return {
    user,
    verb: info.verb,
    isResourceRequest: info.isResourceRequest,
    path: exchange.path,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
  };
}
