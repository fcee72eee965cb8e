import type { KubernetesObject } from '../../../api/object.ts';
import { prepareExpressions } from '../../../cel/environments/kubernetes.ts';
import { types } from '../../../cel/types/cel-type.ts';
import type {
  Validation,
  ValidatingAdmissionPolicySpec,
} from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { type Compiled, compilingAny } from '../../expressions/variables.ts';
import { type CompiledPolicy, compilingPolicy, type PolicyEnvironments } from '../compiled-policy.ts';

export interface CompiledValidatingPolicy extends CompiledPolicy {
  readonly validations: readonly Validation[];
  readonly expressions: readonly Compiled[];
  /** By the index of their validations; empty if none has one. */
  readonly messages: readonly (Compiled | undefined)[];
  /** The expressions of audit annotations, by the index of their keys. */
  readonly annotations: readonly Compiled[];
  readonly annotationKeys: readonly string[];
}

/** Compiles a ValidatingAdmissionPolicy, in turns with other work. */
export async function compileValidatingPolicy(policy: KubernetesObject): Promise<CompiledValidatingPolicy> {
  const { spec = {} } = policy as KubernetesObject & { readonly spec?: ValidatingAdmissionPolicySpec }; // by its schema
  await prepareExpressions();
  return compiling(spec);
}

function compiling(spec: ValidatingAdmissionPolicySpec): CompiledValidatingPolicy {
  const { validations = [], auditAnnotations = [] } = spec;
  const { environments, ...policy } = compilingPolicy(spec);
  const expressions: Compiled[] = [];
  const messages: (Compiled | undefined)[] = [];
  for (const { expression = '', messageExpression = '' } of validations) {
    expressions.push(compilingAny(environments.whole, expression, [types.bool]));
    messages.push(compilingMessage(environments, messageExpression));
  }
  const annotations: Compiled[] = [];
  for (const { valueExpression = '' } of auditAnnotations) {
    annotations.push(compilingAny(environments.whole, valueExpression, [types.string, types.null]));
  }
  return {
    ...{ ...policy, validations, expressions, annotations },
    messages: messages.some((each) => each !== undefined) ? messages : [],
    annotationKeys: auditAnnotations.map(({ key = '' }) => key),
  };
}

function compilingMessage({ withoutAuthorizer }: PolicyEnvironments, text: string): Compiled | undefined {
  return text === '' ? undefined : compilingAny(withoutAuthorizer, text, [types.string]);
}
