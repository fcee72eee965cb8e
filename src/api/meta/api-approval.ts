import { GoUrlError, parseGoUrl } from '../go/go-url.ts';

// Definitions in groups of the Kubernetes community need an annotation with the address of their approval.

export const approvalAnnotation = 'api-approved.kubernetes.io';

const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
const must = `protected groups must have approval annotation "${approvalAnnotation}"`;

export const missingApproval = `${must}, ${see}`;
export const invalidApproval = `${must} with either a URL or a reason starting with "unapproved", ${see}`;

export function isProtectedGroup(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

/** The meaning of the annotation's value. */
export function approvalOf(value: string): 'approved' | 'bypassed' | 'missing' | 'invalid' {
  if (value === '') return 'missing';
  if (value.startsWith('unapproved')) return 'bypassed';
  try {
    const { scheme, host } = parseGoUrl(value);
    return scheme !== '' && host !== '' ? 'approved' : 'invalid';
  } catch (error) {
    if (error instanceof GoUrlError) return 'invalid';
    throw error;
  }
}
