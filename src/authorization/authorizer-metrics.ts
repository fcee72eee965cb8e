import type { AuthorizationResult, Authorizer, GrantedRules } from '../api/contracts/authorization.ts';
import type { Metric } from '../api/metrics/metric.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { AuthorizerSpec } from './configuration/authorizer-spec.ts';

/** Metrics of all authorizers. */
export interface AuthorizerMetrics {
  readonly decisions: Metric;
}

export function authorizerMetrics({ metric }: Pick<PartContext, 'metric'>): AuthorizerMetrics {
  return {
    decisions: metric({
      name: 'apiserver_authorization_decisions_total',
      help: 'Decisions of authorizers.',
      type: 'counter',
      labelNames: ['type', 'name', 'decision'],
    }),
  };
}

const nothing: GrantedRules = { resourceRules: [], nonResourceRules: [], incomplete: false, errors: [] };

/** Counts the decisions of an authorizer. */
export function counted(
  authorizer: Authorizer,
  { type, name }: AuthorizerSpec,
  metrics: AuthorizerMetrics,
): Authorizer {
  const allowed = metrics.decisions.counter({ type, name, decision: 'allowed' });
  const denied = metrics.decisions.counter({ type, name, decision: 'denied' });
  const count = (result: AuthorizationResult): AuthorizationResult => {
    if (result.decision === 'allow') allowed();
    else if (result.decision === 'deny') denied();
    return result;
  };
  return {
    authorize(attributes) {
      const result = authorizer.authorize(attributes);
      return result instanceof Promise ? result.then(count) : count(result);
    },
    rulesOf: (user, namespace) => authorizer.rulesOf?.(user, namespace) ?? nothing,
  };
}
