import type { AdmissionAttributes } from '../../api/admission.ts';
import type { Authorizer } from '../../api/authorization.ts';
import type { Clock } from '../../api/clock.ts';
import { joinedErrors } from '../../api/error-texts.ts';
import type { StoredObjects } from '../../api/stored-objects.ts';
import { isSelectedBy } from '../matching/selectors.ts';
import type { WrittenVersions } from '../matching/written-versions.ts';
import { refusal } from '../refusal.ts';
import type { HookCall } from './hook.ts';
import type { CompiledConditions } from './hook-conditions.ts';
import type { HookMeasures } from './hook-measures.ts';

export interface SelectionContext {
  readonly stored: StoredObjects;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly measures: HookMeasures;
}

interface Selected {
  readonly call: HookCall;
  readonly attributes: AdmissionAttributes;
  readonly versions: WrittenVersions;
}

/** Whether the selectors and conditions of a webhook select a write that its rules match. Throws a StatusError. */
export async function isSelected(
  context: SelectionContext,
  call: HookCall,
  attributes: AdmissionAttributes,
  versions: WrittenVersions,
): Promise<boolean> {
  const { conditions } = call.hook;
  if (!(await isSelectedBy(call.hook, attributes, context.stored))) return false;
  return conditions === undefined || (await meetsConditions(context, await conditions, { call, attributes, versions }));
}

async function meetsConditions(
  { authorizer, clock, measures }: SelectionContext,
  conditions: CompiledConditions,
  { call, attributes, versions }: Selected,
): Promise<boolean> {
  const { hook } = call;
  const { evaluateConditions } = await import('./hook-conditions.ts');
  const version = await versions.in(call.kind);
  const startMs = clock.now();
  const { matches, errors } = await evaluateConditions(conditions, { call, attributes, version, authorizer });
  const seconds = (clock.now() - startMs) / 1_000;
  const excluded = !matches && (errors.length === 0 || hook.failsOpen);
  measures.conditions(
    { name: hook.name, operation: attributes.operation },
    { seconds, errors: errors.length, excluded },
  );
  if (matches || excluded) return matches;
  throw refusal(attributes, joinedErrors(errors));
}
