import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import { soon, type Soon } from '../../api/scheduling/soon.ts';
import type { Authorizer } from '../../api/contracts/authorization.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import type { ConditionMetrics } from '../matching/condition-metrics.ts';
import { isSelectedBy } from '../matching/selectors.ts';
import type { WrittenVersions } from '../matching/written-versions.ts';
import { refusal } from '../refusal.ts';
import type { HookCall } from './hook.ts';
import type { CompiledConditions } from './hook-conditions.ts';

export interface SelectionContext {
  readonly stored: StoredObjects;
  readonly authorizer: Authorizer;
  readonly conditionMetrics: ConditionMetrics;
}

interface Selected {
  readonly call: HookCall;
  readonly attributes: AdmissionAttributes;
  readonly versions: WrittenVersions;
}

/** Whether the selectors and conditions of a webhook select a write that its rules match. Throws a StatusError. */
export function isSelected(
  context: SelectionContext,
  call: HookCall,
  attributes: AdmissionAttributes,
  versions: WrittenVersions,
): Soon<boolean> {
  const { conditions } = call.hook;
  return soon(isSelectedBy(call.hook, attributes, context.stored), (isSelectedByLabels) => {
    if (!isSelectedByLabels || conditions === undefined) return isSelectedByLabels;
    return conditions.then((compiled) => meetsConditions(context, compiled, { call, attributes, versions }));
  });
}

async function meetsConditions(
  { authorizer, conditionMetrics }: SelectionContext,
  conditions: CompiledConditions,
  { call, attributes, versions }: Selected,
): Promise<boolean> {
  const { hook } = call;
  const { evaluateHookConditions } = await import('./hook-conditions.ts');
  const objects = await versions.values.in(call.kind);
  const result = await evaluateHookConditions(conditions, { call, attributes, objects, authorizer });
  const excluded = !result.matches && (result.failure === undefined || hook.failsOpen);
  const evaluated = { name: hook.name, operation: attributes.operation };
  conditionMetrics.evaluated(evaluated, result);
  if (excluded) conditionMetrics.excluded(evaluated);
  if (result.failure === undefined || excluded) return result.matches;
  throw refusal(attributes, result.failure);
}
