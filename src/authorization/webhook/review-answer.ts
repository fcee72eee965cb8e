import type { AuthorizationResult } from '../../api/authorization.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/json.ts';
import { inTurns } from '../../api/turns.ts';
import { CallError } from '../../outgoing/call-error.ts';
import type { WebhookAnswer } from '../../outgoing/webhooks/review-webhook.ts';
import { readTyped } from '../../schema/decode.ts';
import { DecodeError } from '../../schema/decode-errors.ts';
import type { SubjectAccessReview } from '../../schema/kubernetes/generated/types/authorization-v1.ts';
import { schemaOfKind } from '../../schema/kubernetes/definitions.ts';

const group = 'authorization.k8s.io';
const kind = 'SubjectAccessReview';

/** The answer of a webhook. */
export interface ReviewAnswer {
  readonly isAllowed: boolean;
  readonly result: AuthorizationResult;
}

/** Parses an answer, whose kind is optional. Rejects with a CallError that has the reference's text. */
export async function readAnswer(answer: WebhookAnswer, version: string): Promise<ReviewAnswer> {
  checkKind(answer.value, version);
  const { allowed = false, denied = false, reason = '' } = (await decode(answer)).status ?? {};
  if (allowed && denied) {
    const error = 'webhook subject access review returned both allow and deny response';
    return { isAllowed: allowed, result: { decision: 'deny', reason, error } };
  }
  return { isAllowed: allowed, result: { decision: denied ? 'deny' : allowed ? 'allow' : 'no-opinion', reason } };
}

function checkKind(answer: JsonObject, version: string): void {
  const named = textOf(answer, 'kind') || kind;
  const given = parseApiVersion(textOf(answer, 'apiVersion') || `${group}/${version}`);
  if (named === kind && given?.group === group && given.version === version) return;
  throw new CallError(`converting (${given?.version ?? ''}.${named}) to (${version}.${kind}): unknown conversion`);
}

function textOf(answer: JsonObject, field: string): string {
  const value = answer[field];
  return typeof value === 'string' ? value : '';
}

/** All versions have the same status. */
async function decode(answer: WebhookAnswer): Promise<SubjectAccessReview> {
  const schema = schemaOfKind({ group, version: 'v1', kind });
  if (schema === undefined) throw new Error(`unknown kind ${kind}`);
  try {
    const { object } = await inTurns(readTyped(schema, answer));
    return object as SubjectAccessReview; // decoded by its schema
  } catch (error) {
    throw error instanceof DecodeError ? new CallError(error.message, { cause: error }) : error;
  }
}
