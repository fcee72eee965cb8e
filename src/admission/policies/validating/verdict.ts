import type { AdmissionAttributes, ServedVersion, VersionedValues } from '../../../api/contracts/admission.ts';
import type { JsonObject } from '../../../api/json/json.ts';
import { whiteSpace, withoutEdges } from '../../../api/text/text-edges.ts';
import type { AuthorizerValue } from '../../../cel/libraries/authorizer.ts';
import { maxMessageBytes, maxObjectCost } from '../../../cel/rules/limits.ts';
import { type ExpressionBindings, expressionBindings } from '../../expressions/bindings.ts';
import type { Evaluator, ExpressionResult, ExpressionResults } from '../../expressions/evaluate.ts';
import type { Validation } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { Params } from '../params.ts';
import type { CompiledValidatingPolicy } from './validating-policy.ts';

/** The verdict of one validation that does not admit the write. */
export interface Decision {
  readonly outcome: 'denied' | 'failed';
  readonly message: string;
  /** The reason of the status, if the write is denied. */
  readonly reason: string;
  readonly seconds: number;
  /** The position of the validation in its policy. */
  readonly index: number;
}

export interface AnnotationOutcome {
  readonly key: string;
  /** Undefined: it is left out, or has failed. */
  readonly value: string | undefined;
  readonly failure: string | undefined;
  readonly seconds: number;
}

/** The verdict of a policy with one parameter object. */
export interface Verdict {
  readonly decisions: readonly Decision[];
  readonly annotations: readonly AnnotationOutcome[];
}

export interface VerdictInput {
  readonly attributes: AdmissionAttributes;
  readonly objects: VersionedValues;
  readonly version: ServedVersion;
  readonly authorizer: AuthorizerValue;
  readonly namespaceObject: { readonly exposed: JsonObject | null; readonly whole: JsonObject | null };
  readonly params: Params;
  readonly evaluator: Evaluator;
}

/** The verdict of a policy that admits the write, or whose conditions are not met. */
export const noVerdict: Verdict = { decisions: [], annotations: [] };
const noMessages: ExpressionResults = { results: [], budget: 0 };

/** Evaluates a policy whose conditions are met. */
export async function reachVerdict(policy: CompiledValidatingPolicy, input: VerdictInput): Promise<Verdict> {
  const { evaluator, namespaceObject } = input;
  const { exposed, whole } = namespaceObject;
  const bindings = bindingsOf(policy, input, exposed, input.authorizer);
  const validated = await evaluator.evaluate(policy.expressions, bindings, maxObjectCost);
  if (validated.failure !== undefined) return failed(validated.failure);
  let messages = noMessages;
  if (policy.messages.length > 0) {
    messages = await evaluator.evaluate(policy.messages, bindingsOf(policy, input, exposed), validated.budget);
  }
  let annotations = noVerdict.annotations;
  if (policy.annotations.length > 0) {
    const annotated = await evaluator.evaluate(policy.annotations, bindingsOf(policy, input, whole), maxObjectCost);
    if (annotated.failure !== undefined) return failed(annotated.failure);
    annotations = annotated.results.map((result, index) => annotationOf(policy.annotationKeys[index] ?? '', result));
  }
  const decisions = decisionsOf(policy, validated.results, messages);
  return decisions.length === 0 && annotations.length === 0 ? noVerdict : { decisions, annotations };
}

/** The verdict of a policy that cannot be evaluated. */
export function failed(message: string): Verdict {
  return { decisions: [{ outcome: 'failed', message, reason: '', seconds: 0, index: 0 }], annotations: [] };
}

function bindingsOf(
  { variables }: CompiledValidatingPolicy,
  { attributes, objects, version, params }: VerdictInput,
  namespaceObject: JsonObject | null,
  authorizer?: AuthorizerValue,
): ExpressionBindings {
  return expressionBindings({ attributes, objects, version, params, variables, namespaceObject, authorizer });
}

function annotationOf(key: string, { value, failure, seconds }: ExpressionResult): AnnotationOutcome {
  const text = typeof value === 'string' ? trimmed(value) : '';
  return { key, value: text === '' ? undefined : text, failure, seconds };
}

type Message = { readonly text: string } | { readonly failure: string };

/** The message of a validation that has not passed; empty when its expression gives none. */
function messageOf(messages: ExpressionResults, index: number): Message {
  if (messages.failure !== undefined) return { failure: `failed messageExpression: ${messages.failure}` };
  const value = messages.results[index]?.value;
  const text = typeof value === 'string' ? trimmed(value) : '';
  return { text: Buffer.byteLength(text) > maxMessageBytes || text.includes('\n') ? '' : text };
}

function decisionsOf(
  { validations }: CompiledValidatingPolicy,
  results: readonly ExpressionResult[],
  messages: ExpressionResults,
): readonly Decision[] {
  const decisions: Decision[] = [];
  for (let index = 0; index < results.length; index += 1) {
    const result = results[index] as ExpressionResult; // within bounds
    if (result.value === true && messages.failure === undefined) continue;
    const decision = decisionOf(validations[index] ?? {}, result, messageOf(messages, index));
    decisions.push({ ...decision, seconds: result.seconds, index });
  }
  return decisions;
}

function decisionOf(
  { expression = '', message = '', reason = 'Invalid' }: Validation,
  { failure }: ExpressionResult,
  evaluated: Message,
): Pick<Decision, 'outcome' | 'message' | 'reason'> {
  if (failure !== undefined) return { outcome: 'failed', message: failure, reason: '' };
  if ('failure' in evaluated) return { outcome: 'failed', message: evaluated.failure, reason: '' };
  const text = evaluated.text || trimmed(message) || `failed expression: ${trimmed(expression)}`;
  return { outcome: 'denied', message: text, reason };
}

function trimmed(text: string): string {
  return withoutEdges(text, whiteSpace);
}
