import type { AdmissionAttributes, ServedVersion, VersionedValues } from '../../api/contracts/admission.ts';
import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { StatusError } from '../../api/errors/status.ts';
import type { AuthorizerValue } from '../../cel/libraries/authorizer.ts';
import { expressionBindings } from '../expressions/bindings.ts';
import type { Evaluator } from '../expressions/evaluate.ts';
import { type ConditionsResult, evaluateConditions } from '../expressions/match-conditions.ts';
import { requestedVersion } from '../matching/resource-rules.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { PolicyInvocation } from './invocations.ts';
import type { Params } from './params.ts';
import type { PolicyDispatchContext } from './policy-plugin.ts';

/** The inputs of a policy with one parameter object. */
export interface InvocationInput {
  readonly attributes: AdmissionAttributes;
  readonly objects: VersionedValues;
  readonly authorizer: AuthorizerValue;
  readonly params: Params;
  readonly evaluator: Evaluator;
}

/** Whether the conditions of a policy are met; undefined without conditions. */
export async function metConditions(
  { conditionMetrics }: Pick<PolicyDispatchContext, 'conditionMetrics'>,
  { policy, version: { kind } }: Pick<PolicyInvocation<unknown>, 'policy' | 'version'>,
  { conditions, variables }: CompiledPolicy,
  { attributes, objects, authorizer, params, evaluator }: InvocationInput,
): Promise<ConditionsResult | undefined> {
  if (conditions.length === 0) return undefined;
  const version = { ...requestedVersion(attributes), kind };
  const bindings = expressionBindings({
    attributes,
    objects,
    version,
    authorizer,
    namespaceObject: null,
    params,
    variables,
  });
  const result = await evaluateConditions(conditions, bindings, evaluator);
  conditionMetrics.evaluated({ name: policy.name, operation: attributes.operation }, result);
  return result;
}

/** The objects in the version of a policy, or why they are not available. */
export async function convertingObjects<T>(
  versions: { in(kind: GroupVersionKind): Soon<T> },
  { kind }: ServedVersion,
): Promise<T | string> {
  try {
    return await versions.in(kind);
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}
