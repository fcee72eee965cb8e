import { goQuote } from '../api/go-quote.ts';
import { GoUrlError, parseGoUrl } from '../api/go-url.ts';
import type { NewCondition } from './condition-changes.ts';
import type { Definition } from './definition.ts';

const annotation = 'api-approved.kubernetes.io';
const protectedGroup = /(^|\.)(k8s|kubernetes)\.io$/;
const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
const must = `protected groups must have approval annotation "${annotation}"`;

/** The KubernetesAPIApprovalPolicyConformant condition; undefined for groups that are not protected. */
export function approvalCondition({ spec, metadata }: Definition): NewCondition | undefined {
  if (!protectedGroup.test(spec.group ?? '')) return undefined;
  const value = metadata.annotations?.[annotation] ?? '';
  if (value === '') return unapproved('MissingAnnotation', `${must}, ${see}`);
  if (value.startsWith('unapproved')) return unapproved('UnapprovedAnnotation', `not approved: ${goQuote(value)}`);
  if (isAddress(value)) return { ...unapproved('ApprovedAnnotation', `approved in ${value}`), status: 'True' };
  return unapproved('InvalidAnnotation', `${must} with either a URL or a reason starting with "unapproved", ${see}`);
}

function unapproved(reason: string, message: string): NewCondition {
  return { type: 'KubernetesAPIApprovalPolicyConformant', status: 'False', reason, message };
}

function isAddress(text: string): boolean {
  try {
    const { scheme, host } = parseGoUrl(text);
    return scheme !== '' && host !== '';
  } catch (error) {
    if (error instanceof GoUrlError) return false;
    throw error;
  }
}
