import type { Authorizer } from '../../api/contracts/authorization.ts';
import { ConfigError } from '../../api/errors/config-error.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { openReviewWebhook } from '../../outgoing/webhooks/review-webhook.ts';
import type { WebhookSpec } from '../configuration/authorizer-spec.ts';
import type { CompiledExpression } from '../../cel/compile-expression.ts';
import { WebhookAuthorizer } from './webhook-authorizer.ts';
import { webhookMetrics, type WebhookMetrics } from './webhook-metrics.ts';

const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

const metricsOf = new WeakMap<PartContext['metric'], WebhookMetrics>();

/** The authorizer of a configured webhook. Throws a ConfigError. */
export async function openWebhookAuthorizer(
  name: string,
  spec: WebhookSpec,
  context: PartContext,
): Promise<Authorizer> {
  const { kubeconfigFile: path, apiPath, timeoutMs, matchConditions, reviewVersion } = spec;
  if (!reviewVersions.includes(reviewVersion)) {
    const supported = reviewVersions.map(goQuote).join(', ');
    const what = `unsupported webhook authorizer version ${goQuote(reviewVersion)}`;
    throw new ConfigError(`${what}, supported versions are ${supported}`);
  }
  const [webhook, conditions] = await Promise.all([
    openReviewWebhook({ path, apiPath, context, timeoutMs, egress: context.egress?.controlplane }),
    compileAll(matchConditions),
  ]);
  // Metrics are shared by all webhooks of a server.
  let metrics = metricsOf.get(context.metric);
  if (metrics === undefined) metricsOf.set(context.metric, (metrics = webhookMetrics(context)));
  const { onError } = context;
  return new WebhookAuthorizer({ name, spec, webhook, conditions, metrics, onError });
}

async function compileAll(expressions: readonly string[]): Promise<readonly CompiledExpression[]> {
  if (expressions.length === 0) return [];
  const { compileMatchCondition, prepareConditions } = await import('./compile-match-condition.ts');
  await prepareConditions();
  return expressions.map(compileMatchCondition);
}
