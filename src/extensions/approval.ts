import {
  approvalAnnotation,
  approvalOf,
  invalidApproval,
  isProtectedGroup,
  missingApproval,
} from '../api/meta/api-approval.ts';
import { goQuote } from '../api/go/go-quote.ts';
import type { NewCondition } from './condition-changes.ts';
import type { Definition } from './definition.ts';

/** The KubernetesAPIApprovalPolicyConformant condition; undefined for groups that are not protected. */
export function approvalCondition({ spec, metadata }: Definition): NewCondition | undefined {
  if (!isProtectedGroup(spec.group ?? '')) return undefined;
  const value = metadata.annotations?.[approvalAnnotation] ?? '';
  const condition = {
    approved: { status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${value}` },
    bypassed: { status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${goQuote(value)}` },
    missing: { status: 'False', reason: 'MissingAnnotation', message: missingApproval },
    invalid: { status: 'False', reason: 'InvalidAnnotation', message: invalidApproval },
  } as const;
  return { type: 'KubernetesAPIApprovalPolicyConformant', ...condition[approvalOf(value)] };
}
