import type { Authorizer, GrantedRules } from '../../api/contracts/authorization.ts';
import { joinedErrors } from '../../api/text/error-texts.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import type { SelfSubjectRulesReviewSpec } from '../../schema/kubernetes/generated/types/authorization-v1.ts';
import type { VerbHandler } from '../request/resource-request.ts';
import { respondObject } from '../responses/respond.ts';
import { decodeReview } from './decode-review.ts';

/** Lists what the requester may do in a namespace (`kubectl auth can-i --list`). */
export function rulesReview(authorizer: Authorizer): VerbHandler {
  return async (request) => {
    const { context, scope, format } = request;
    const served = scope.resource;
    const { object } = await decodeReview(request);
    // Decoded by the schema of the review.
    const { namespace = '' } = (object['spec'] ?? {}) as SelfSubjectRulesReviewSpec;
    if (namespace === '') throw badRequest('no namespace on request');
    const rules = await authorizer.rulesOf?.(context.user, namespace);
    const status = statusOf(rules ?? noRules);
    const { kind, apiVersion } = object;
    const review = { kind, apiVersion, metadata: {}, spec: {}, status } as KubernetesObject;
    await respondObject(context, scope, { code: 201, object: review, format, served });
  };
}

const noRules: GrantedRules = { resourceRules: [], nonResourceRules: [], incomplete: false, errors: [] };

/** A user may be bound to any number of rules. */
function statusOf({ resourceRules, nonResourceRules, incomplete, errors }: GrantedRules): JsonObject {
  return {
    resourceRules: shownRules(resourceRules),
    nonResourceRules: shownRules(nonResourceRules),
    incomplete,
    ...(errors.length === 0 ? {} : { evaluationError: joinedErrors(errors) }),
  };
}

function shownRules(rules: GrantedRules['resourceRules'] | GrantedRules['nonResourceRules']): JsonObject[] {
  const all: JsonObject[] = [];
  for (const { verbs, ...rest } of rules) {
    all.push({ verbs: [...verbs], ...withoutEmpty(rest) });
  }
  return all;
}

function withoutEmpty(lists: { readonly [name: string]: readonly string[] }): { [name: string]: JsonValue } {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([name, list]) => (list.length === 0 ? [] : [[name, [...list]]])),
  );
}
