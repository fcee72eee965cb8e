import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../../api/contracts/authorization.ts';
import { logSite } from '../../api/contracts/log.ts';
import { forbiddenError } from '../../api/contracts/forbidden-request.ts';
import { internalServerError } from '../responses/plain-failure.ts';
import { inTime } from '../request/in-time.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';
import { RequestSelectors } from '../request/request-selectors.ts';

/** Authorizes the request. */
export function authorizeStage(authorizer: Authorizer): Stage {
  return {
    name: 'authorization',
    run(context) {
      const attributes = attributesOf(context);
      const result = authorizer.authorize(attributes);
      if (result instanceof Promise) {
        return inTime(context, result).then((late) => refuseUnlessAllowed(context, attributes, late));
      }
      refuseUnlessAllowed(context, attributes, result);
    },
  };
}

const site = logSite('stages/authorize.ts');
const detailVerbosity = 4;

function logRefusal({ log, exchange: { path, query } }: RequestContext, reason: string): void {
  const values = { URI: query === '' ? path : `${path}?${query}`, reason };
  log.write({ site, severity: 'info', verbosity: detailVerbosity, message: 'Forbidden', values });
}

const decisionKey = 'authorization.k8s.io/decision';
const reasonKey = 'authorization.k8s.io/reason';

function refuseUnlessAllowed(
  context: RequestContext,
  attributes: AuthorizationAttributes,
  { decision, reason, error }: AuthorizationResult,
): void {
  const { exchange, audit, log } = context;
  if (decision !== 'allow' && error !== undefined) {
    audit?.annotate(reasonKey, () => 'internal error');
    throw internalServerError(exchange, error);
  }
  audit?.annotate(decisionKey, () => (decision === 'allow' ? 'allow' : 'forbid'));
  audit?.annotate(reasonKey, () => reason);
  if (decision === 'allow') return;
  if (log.enabled(detailVerbosity, site)) logRefusal(context, reason);
  context.isUnsniffable = true;
  throw forbiddenError(attributes, reason);
}

/** The authorization attributes of a request. */
export function attributesOf({ user, info, path, query }: RequestContext): AuthorizationAttributes {
  return {
    user,
    verb: info.verb,
    isResourceRequest: info.isResourceRequest,
    path,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name === '' ? info.selectedName : info.name,
    selectors: info.isResourceRequest ? RequestSelectors.of(info, query) : undefined,
  };
}
