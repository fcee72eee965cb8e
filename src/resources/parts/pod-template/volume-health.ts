import { childPath, keyPath } from '../../../api/errors/field-error.ts';
import type { VolumeHealthCondition } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { Errors } from '../rules/rules.ts';
import { conditionReason } from '../rules/status-conditions.ts';

/** What the health of a volume has to keep beside the rules that its type declares. */
export function* healthConditions(conditions: readonly VolumeHealthCondition[], path: string): Errors {
  for (const [index, { reason = '' }] of conditions.entries()) {
    if (reason !== '') yield* conditionReason(reason, childPath(keyPath(path, index), 'reason'));
  }
}
