import type { AuthorizationResult } from '../../api/contracts/authorization.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { ReviewForm } from '../../outgoing/webhooks/read-review.ts';
import type { SubjectAccessReview } from '../../schema/kubernetes/generated/types/authorization-v1.ts';

const group = 'authorization.k8s.io';
const kind = 'SubjectAccessReview';

/** The form of answers to reviews of a version. */
export function formOf(version: string): ReviewForm {
  return { kind: { group, version, kind }, knownVersions: ['v1', 'v1beta1'], knowsBuiltIn: true };
}

/** The answer of a webhook. */
export interface ReviewResponse {
  readonly isAllowed: boolean;
  readonly result: AuthorizationResult;
}

/** Reads a decoded answer. */
export function responseIn(review: JsonObject): ReviewResponse {
  // Decoded by its schema; all versions have the same status.
  const { allowed = false, denied = false, reason = '' } = (review as SubjectAccessReview).status ?? {};
  if (allowed && denied) {
    const error = 'webhook subject access review returned both allow and deny response';
    return { isAllowed: allowed, result: { decision: 'deny', reason, error } };
  }
  return { isAllowed: allowed, result: { decision: denied ? 'deny' : allowed ? 'allow' : 'no-opinion', reason } };
}
