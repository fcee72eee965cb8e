import type {
  AuthorizationAttributes,
  AuthorizationResult,
  Authorizer,
  GrantedRules,
} from '../../api/contracts/authorization.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { ResponseCache } from '../../api/contracts/response-cache.ts';
import { encodeRaw } from '../../api/json/json-text.ts';
import { StatusError } from '../../api/errors/status.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';
import { CallError } from '../../outgoing/call-error.ts';
import { withRetries } from '../../outgoing/retries.ts';
import type { ReviewWebhook } from '../../outgoing/webhooks/review-webhook.ts';
import { type WebhookSpec, webhookType } from '../configuration/authorizer-spec.ts';
import { reviewOf, reviewSpec } from './access-review.ts';
import type { CompiledExpression } from '../../cel/compile-expression.ts';
import { type MatchResult, matchConditions } from './match-conditions.ts';
import { responseIn, formOf, type ReviewResponse } from './review-response.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export interface WebhookAuthorizerOptions {
  readonly name: string;
  readonly spec: WebhookSpec;
  readonly webhook: ReviewWebhook;
  readonly conditions: readonly CompiledExpression[];
  readonly metrics: WebhookMetrics;
  readonly onError: (error: unknown) => void;
}

const maxResponses = 8192;

/** Longer requests contain much client-controlled text: their answers are not cached. */
const maxKeptLength = 10_000;

const noOpinion: AuthorizationResult = { decision: 'no-opinion', reason: '' };

const unresolved: GrantedRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  errors: ['webhook authorizer does not support user rule resolution'],
};

/** Asks a remote server by SubjectAccessReview. */
export class WebhookAuthorizer implements Authorizer {
  readonly #options: WebhookAuthorizerOptions;
  readonly #responses = new ResponseCache<AuthorizationResult>(maxResponses);

  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult> {
    const spec = reviewSpec(attributes);
    const { matches, error } = this.#match(spec);
    if (error !== undefined) return this.#undecided(error);
    if (!matches) return noOpinion;
    const question = encodeRaw(spec);
    return this.#responses.get(question) ?? this.#ask({ spec, question, isKept: isShort(attributes) });
  }

  rulesOf(): GrantedRules {
    return unresolved;
  }

  #undecided(error: string): AuthorizationResult {
    return { ...noOpinion, decision: this.#options.spec.failurePolicy === 'Deny' ? 'deny' : 'no-opinion', error };
  }

  #match(spec: JsonObject): MatchResult {
    const { conditions, metrics, name } = this.#options;
    if (conditions.length === 0) return { matches: true };
    const labels = { type: webhookType, name };
    const start = performance.now();
    const result = matchConditions(conditions, spec);
    metrics.matchSeconds.observe(secondsSince(start), labels);
    if (result.error !== undefined) metrics.matchErrors.add(labels);
    else if (!result.matches) metrics.matchExclusions.add(labels);
    return result;
  }

  async #ask({ spec, question, isKept }: Question): Promise<AuthorizationResult> {
    const { name, spec: options, metrics, onError } = this.#options;
    const review = reviewOf(spec, options.reviewVersion);
    let result = '';
    let response: ReviewResponse;
    try {
      response = await withRetries(() => this.#call(review, (ended) => (result = ended)));
    } catch (error) {
      const undecided = this.#undecided(problemText(error));
      onError(error);
      if (undecided.decision === 'no-opinion') metrics.failOpen.add({ name, result });
      return undecided;
    }
    const ttlMs = response.isAllowed ? options.authorizedTtlMs : options.unauthorizedTtlMs;
    if (isKept) this.#responses.keep(question, response.result, ttlMs);
    return response.result;
  }

  /** One attempt, with metrics. */
  async #call(review: JsonObject, tell: (result: string) => void): Promise<ReviewResponse> {
    const { webhook, metrics, name, spec } = this.#options;
    const start = performance.now();
    let result = 'success';
    try {
      return responseIn(await webhook.post(review, formOf(spec.reviewVersion)));
    } catch (error) {
      result = isTimeout(error) ? 'timeout' : 'error';
      throw error;
    } finally {
      tell(result);
      metrics.evaluations.add({ name, result });
      metrics.duration.observe(secondsSince(start), { name, result });
    }
  }
}

interface Question {
  readonly spec: JsonObject;
  /** The spec as JSON text. */
  readonly question: string;
  readonly isKept: boolean;
}

function isShort({
  namespace,
  verb,
  group,
  version,
  resource,
  subresource,
  name,
  path,
}: AuthorizationAttributes): boolean {
  const texts = [namespace, verb, group, version, resource, subresource, name, path];
  return texts.reduce((sum, text) => sum + text.length, 0) < maxKeptLength;
}

function isTimeout(error: unknown): boolean {
  if (error instanceof CallError) return error.message.includes('deadline exceeded');
  return error instanceof StatusError && (error.status.reason === 'Timeout' || error.status.code === 504);
}

function problemText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
