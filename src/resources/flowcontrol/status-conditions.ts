import { childPath, duplicateField, keyPath, requiredField } from '../../api/errors/field-error.ts';
import type * as flow from '../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { type Errors, isEmpty } from '../parts/rules/rules.ts';

/** Conditions of FlowSchemas and PriorityLevelConfigurations. */
export function* conditions({ status = {} }: flow.FlowSchema | flow.PriorityLevelConfiguration): Errors {
  const seen = new Set<string>();
  for (const [index, { type = '' }] of (status.conditions ?? []).entries()) {
    const path = childPath(keyPath('status.conditions', index), 'type');
    if (seen.has(type)) yield duplicateField(path, type);
    seen.add(type);
    if (isEmpty(type)) yield requiredField(path);
  }
}
