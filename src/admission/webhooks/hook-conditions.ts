import type { AdmissionAttributes, ServedVersion, VersionedValues } from '../../api/contracts/admission.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import { type Compiled, compileAll } from '../../cel/compile-all.ts';
import { admissionEnvironment } from '../../cel/environments/admission.ts';
import { prepareExpressions, storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import { boundAuthorizer } from '../../cel/libraries/bound-authorizer.ts';
import { types } from '../../cel/types/cel-type.ts';
import type { MatchCondition } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { expressionBindings } from '../expressions/bindings.ts';
import { type ConditionsResult, evaluateConditions } from '../expressions/match-conditions.ts';

/** What conditions are about. */
interface ConditionInput {
  readonly call: ServedVersion;
  readonly attributes: AdmissionAttributes;
  readonly objects: VersionedValues;
  readonly authorizer: Authorizer;
}

/** Evaluates the match conditions of a webhook. */
export async function evaluateHookConditions(
  conditions: CompiledConditions,
  { call, attributes, objects, authorizer }: ConditionInput,
): Promise<ConditionsResult> {
  const bindings = expressionBindings({
    attributes,
    objects,
    version: call,
    namespaceObject: null,
    authorizer: boundAuthorizer(attributes.user, authorizer),
  });
  return evaluateConditions(conditions, bindings);
}

/** Stored conditions as programs, or as errors where they do not compile. */
export type CompiledConditions = readonly Compiled[];

/** Compiles the conditions of a webhook; others run in between. */
export async function compileConditions(conditions: readonly MatchCondition[]): Promise<CompiledConditions> {
  await prepareExpressions();
  const environment = admissionEnvironment(storedExpressionEnvironment());
  return compileAll(conditions.map(({ expression: text = '' }) => ({ environment, text, expected: [types.bool] })));
}
