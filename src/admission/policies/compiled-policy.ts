import { type Compiled, compileAll } from '../../cel/compile-all.ts';
import { admissionEnvironment } from '../../cel/environments/admission.ts';
import type { Environment } from '../../cel/environments/environment.ts';
import { storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import { types } from '../../cel/types/cel-type.ts';
import type { ValidatingAdmissionPolicySpec } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { compileVariables } from '../expressions/variables.ts';

/** The expressions that policies of all kinds have. */
export interface CompiledPolicy {
  readonly variables: ReadonlyMap<string, Compiled>;
  readonly conditions: readonly Compiled[];
}

/** Environments for the expressions of one policy, in which they may refer to its variables. */
export interface PolicyEnvironments {
  readonly whole: Environment;
  /** Without the variable `authorizer`. */
  readonly withoutAuthorizer: Environment;
}

type PolicySpec = Pick<ValidatingAdmissionPolicySpec, 'paramKind' | 'variables' | 'matchConditions'>;

/** Compiles what policies of all kinds have; `prepareExpressions` must have been awaited. */
export async function compilePolicy({
  paramKind,
  variables: named = [],
  matchConditions = [],
}: PolicySpec): Promise<CompiledPolicy & { readonly environments: PolicyEnvironments }> {
  const params = paramKind !== undefined;
  const base = storedExpressionEnvironment();
  const variables = await compileVariables(admissionEnvironment(base, { params }), named);
  const environments = {
    whole: variables.in(admissionEnvironment(base, { params })),
    withoutAuthorizer: variables.in(admissionEnvironment(base, { params, authorizer: false })),
  };
  const conditionOf = ({ expression: text = '' }) => ({
    environment: environments.whole,
    text,
    expected: [types.bool],
  });
  const conditions = await compileAll(matchConditions.map(conditionOf));
  return { variables: variables.byName, conditions, environments };
}
