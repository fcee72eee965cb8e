import {
  approvalAnnotation,
  approvalOf,
  invalidApproval,
  isProtectedGroup,
  missingApproval,
} from '../../../../api/meta/api-approval.ts';
import { invalidField, keyPath, requiredField } from '../../../../api/errors/field-error.ts';
import type { ObjectMeta } from '../../../../schema/kubernetes/generated/types/meta-v1.ts';
import type { Errors } from '../../../parts/rules/rules.ts';

/** An unchanged annotation is not validated again. */
export function* apiApproval(group: string, { annotations = {} }: ObjectMeta = {}, old?: ObjectMeta): Errors {
  if (!isProtectedGroup(group)) return;
  const value = annotations[approvalAnnotation] ?? '';
  const approval = approvalOf(value);
  if (old !== undefined && approvalOf(old.annotations?.[approvalAnnotation] ?? '') === approval) return;
  const path = keyPath('metadata.annotations', approvalAnnotation);
  if (approval === 'missing') yield requiredField(path, missingApproval);
  if (approval === 'invalid') yield invalidField(path, value, invalidApproval);
}
