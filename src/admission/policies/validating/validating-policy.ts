import type { KubernetesObject } from '../../../api/object.ts';
import { inTurns, type Work } from '../../../api/turns.ts';
import { prepareExpressions } from '../../../cel/environments/kubernetes.ts';
import { types } from '../../../cel/types/cel-type.ts';
import type {
  AuditAnnotation,
  Validation,
  ValidatingAdmissionPolicySpec,
} from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { type Compiled, compilingAny } from '../../expressions/variables.ts';
import { type CompiledPolicy, compilingPolicy, type PolicyEnvironments } from '../compiled-policy.ts';

export interface CompiledValidatingPolicy extends CompiledPolicy {
  readonly validations: readonly Validation[];
  readonly expressions: readonly Compiled[];
  /** By the index of their validations. */
  readonly messages: readonly (Compiled | undefined)[];
  readonly annotations: readonly { readonly key: string; readonly value: Compiled }[];
}

/** Compiles a ValidatingAdmissionPolicy, in turns with other work. */
export async function compileValidatingPolicy(policy: KubernetesObject): Promise<CompiledValidatingPolicy> {
  const { spec = {} } = policy as KubernetesObject & { readonly spec?: ValidatingAdmissionPolicySpec }; // by its schema
  await prepareExpressions();
  return await inTurns(compiling(spec));
}

function* compiling(spec: ValidatingAdmissionPolicySpec): Work<CompiledValidatingPolicy> {
  const { validations = [], auditAnnotations = [] } = spec;
  const { environments, ...policy } = yield* compilingPolicy(spec);
  const expressions: Compiled[] = [];
  const messages: (Compiled | undefined)[] = [];
  for (const { expression = '', messageExpression = '' } of validations) {
    expressions.push(yield* compilingAny(environments.whole, expression, [types.bool]));
    messages.push(yield* compilingMessage(environments, messageExpression));
  }
  const annotations: { readonly key: string; readonly value: Compiled }[] = [];
  for (const annotation of auditAnnotations) annotations.push(yield* compilingAnnotation(environments, annotation));
  return { ...policy, validations, expressions, messages, annotations };
}

function* compilingMessage({ withoutAuthorizer }: PolicyEnvironments, text: string): Work<Compiled | undefined> {
  return text === '' ? undefined : yield* compilingAny(withoutAuthorizer, text, [types.string]);
}

function* compilingAnnotation(
  { whole }: PolicyEnvironments,
  { key = '', valueExpression = '' }: AuditAnnotation,
): Work<{ readonly key: string; readonly value: Compiled }> {
  return { key, value: yield* compilingAny(whole, valueExpression, [types.string, types.null]) };
}
