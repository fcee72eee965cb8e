import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../../api/authorization.ts';
import { goQuote } from '../../api/go-quote.ts';
import { StatusError } from '../../api/status.ts';
import { forbidden } from '../../api/status-errors.ts';
import type { RequestContext, Stage } from '../request-context.ts';

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

/** The 403 that says who may not do what. */
export function forbiddenError(attributes: AuthorizationAttributes, reason: string): StatusError {
  const why = reason === '' ? sentence(attributes) : `${sentence(attributes)}: ${reason}`;
  const resource = attributes.isResourceRequest
    ? { group: attributes.group, resource: attributes.resource }
    : { group: '', resource: '' };
  return forbidden(resource, attributes.name, why);
}

function sentence(attributes: AuthorizationAttributes): string {
  const { user, verb, path, group, resource, subresource, namespace } = attributes;
  const who = `User ${goQuote(user.name)} cannot ${verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${goQuote(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `${who} resource ${goQuote(what)} in API group ${goQuote(group)} ${scope}`;
}
