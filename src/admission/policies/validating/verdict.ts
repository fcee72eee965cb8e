import type { AdmissionAttributes, ServedVersion, VersionedValues } from '../../../api/admission.ts';
import type { Clock } from '../../../api/clock.ts';
import type { JsonObject } from '../../../api/json.ts';
import { whiteSpace, withoutEdges } from '../../../api/text-edges.ts';
import type { AuthorizerValue } from '../../../cel/libraries/authorizer.ts';
import { maxMessageBytes, maxObjectCost } from '../../../cel/rules/limits.ts';
import { type ExpressionBindings, expressionBindings } from '../../expressions/bindings.ts';
import { evaluateAll, type ExpressionResult, type ExpressionResults } from '../../expressions/evaluate.ts';
import type { Validation } from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { Params } from '../params.ts';
import type { CompiledValidatingPolicy } from './validating-policy.ts';

/** The verdict of one validation. */
export interface Decision {
  readonly outcome: 'admitted' | 'denied' | 'failed';
  readonly message: string;
  /** Of the status, if the write is denied. */
  readonly reason: string;
  readonly seconds: number;
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
  readonly clock: Clock;
}

/** Evaluates a policy whose conditions are met. */
export async function verdictOf(policy: CompiledValidatingPolicy, input: VerdictInput): Promise<Verdict> {
  const { clock } = input;
  const validated = await evaluateAll(policy.expressions, () => bindingsOf(policy, input, { authorizer: true }), {
    ...{ budget: maxObjectCost, clock },
  });
  if (validated.failure !== undefined) return failed(validated.failure);
  const telling = evaluateAll(policy.messages, () => bindingsOf(policy, input, {}), {
    ...{ budget: validated.budget, clock },
  });
  const messages = telling instanceof Promise ? await telling : telling;
  const annotating = evaluateAll(
    policy.annotations.map(({ value }) => value),
    () => bindingsOf(policy, input, { wholeNamespace: true }),
    { budget: maxObjectCost, clock },
  );
  const annotated = annotating instanceof Promise ? await annotating : annotating;
  if (annotated.failure !== undefined) return failed(annotated.failure);
  const decisions = validated.results.map((result, index) =>
    decisionOf(policy.validations[index] ?? {}, result, messageOf(messages, index)),
  );
  const annotations = annotated.results.map(({ value, ...result }, index): AnnotationOutcome => {
    const text = typeof value === 'string' ? trimmed(value) : '';
    return { key: policy.annotations[index]?.key ?? '', ...result, value: text === '' ? undefined : text };
  });
  return { decisions, annotations };
}

/** The verdict of a policy that cannot be evaluated. */
export function failed(message: string): Verdict {
  return { decisions: [{ outcome: 'failed', message, reason: '', seconds: 0 }], annotations: [] };
}

function bindingsOf(
  { variables }: CompiledValidatingPolicy,
  { attributes, objects, version, authorizer, namespaceObject, params }: VerdictInput,
  sees: { readonly authorizer?: true; readonly wholeNamespace?: true },
): ExpressionBindings {
  return expressionBindings({
    ...{ attributes, objects, version, params, variables },
    namespaceObject: sees.wholeNamespace === true ? namespaceObject.whole : namespaceObject.exposed,
    ...(sees.authorizer === true ? { authorizer } : {}),
  });
}

type Message = { readonly text: string } | { readonly failure: string };

/** The message of a validation that has not passed; empty when its expression gives none. */
function messageOf(messages: ExpressionResults, index: number): Message {
  if (messages.failure !== undefined) return { failure: `failed messageExpression: ${messages.failure}` };
  const value = messages.results[index]?.value;
  const text = typeof value === 'string' ? trimmed(value) : '';
  return { text: Buffer.byteLength(text) > maxMessageBytes || text.includes('\n') ? '' : text };
}

function decisionOf(
  { expression = '', message = '', reason = 'Invalid' }: Validation,
  { value, failure, seconds }: ExpressionResult,
  evaluated: Message,
): Decision {
  if (failure !== undefined) return { outcome: 'failed', message: failure, reason: '', seconds };
  if ('failure' in evaluated) return { outcome: 'failed', message: evaluated.failure, reason: '', seconds };
  if (value === true) return { outcome: 'admitted', message: '', reason: '', seconds };
  const text = evaluated.text || trimmed(message) || `failed expression: ${trimmed(expression)}`;
  return { outcome: 'denied', message: text, reason, seconds };
}

function trimmed(text: string): string {
  return withoutEdges(text, whiteSpace);
}
