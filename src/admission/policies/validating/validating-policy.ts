import type { KubernetesObject } from '../../../api/meta/object.ts';
import { type Compiled, compileAll, compileAny } from '../../../cel/compile-all.ts';
import { prepareExpressions } from '../../../cel/environments/kubernetes.ts';
import { types } from '../../../cel/types/cel-type.ts';
import type {
  Validation,
  ValidatingAdmissionPolicySpec,
} from '../../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { type CompiledPolicy, compilePolicy, type PolicyEnvironments } from '../compiled-policy.ts';

export interface CompiledValidatingPolicy extends CompiledPolicy {
  readonly validations: readonly Validation[];
  readonly expressions: readonly Compiled[];
  /** By the index of their validations; empty if none has one. */
  readonly messages: readonly (Compiled | undefined)[];
  /** The expressions of audit annotations, by the index of their keys. */
  readonly annotations: readonly Compiled[];
  readonly annotationKeys: readonly string[];
}

/** Compiles a ValidatingAdmissionPolicy; others run in between. */
export async function compileValidatingPolicy(policy: KubernetesObject): Promise<CompiledValidatingPolicy> {
  const { spec = {} } = policy as KubernetesObject & { readonly spec?: ValidatingAdmissionPolicySpec }; // by its schema
  await prepareExpressions();
  const { validations = [], auditAnnotations = [] } = spec;
  const { environments, ...compiled } = await compilePolicy(spec);
  const { whole: environment } = environments;
  const expressions = await compileAll(
    validations.map(({ expression: text = '' }) => ({ environment, text, expected: [types.bool] })),
  );
  const messages = validations.map(({ messageExpression = '' }) => compileMessage(environments, messageExpression));
  const annotations = await compileAll(
    auditAnnotations.map(({ valueExpression: text = '' }) => ({ environment, text, expected: annotationTypes })),
  );
  return {
    ...compiled,
    validations,
    expressions,
    annotations,
    messages: messages.some((each) => each !== undefined) ? messages : [],
    annotationKeys: auditAnnotations.map(({ key = '' }) => key),
  };
}

const annotationTypes = [types.string, types.null];

function compileMessage({ withoutAuthorizer: environment }: PolicyEnvironments, text: string): Compiled | undefined {
  return text === '' ? undefined : compileAny({ environment, text, expected: [types.string] });
}
