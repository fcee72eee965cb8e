import { invalidField, keyPath, requiredField } from '../../../../api/field-error.ts';
import { GoUrlError, parseGoUrl } from '../../../../api/go-url.ts';
import type { ObjectMeta } from '../../../../schema/kubernetes/generated/types/meta-v1.ts';
import type { Errors } from '../../../parts/rules/rules.ts';

// Definitions in Kubernetes community groups need an approval annotation.

const annotation = 'api-approved.kubernetes.io';
const protectedGroup = /(^|\.)(k8s|kubernetes)\.io$/;
const see = 'see https://github.com/kubernetes/enhancements/pull/1111';

type Approval = 'approved' | 'bypassed' | 'missing' | 'invalid';

function approvalOf({ annotations = {} }: ObjectMeta): Approval {
  const value = annotations[annotation] ?? '';
  if (value === '') return 'missing';
  if (value.startsWith('unapproved')) return 'bypassed';
  return hasHost(value) ? 'approved' : 'invalid';
}

function hasHost(text: string): boolean {
  try {
    const { scheme, host } = parseGoUrl(text);
    return scheme !== '' && host !== '';
  } catch (error) {
    if (error instanceof GoUrlError) return false;
    throw error;
  }
}

/** An unchanged annotation is not validated again. */
export function* apiApproval(group: string, metadata: ObjectMeta = {}, old?: ObjectMeta): Errors {
  if (!protectedGroup.test(group)) return;
  const approval = approvalOf(metadata);
  if (old !== undefined && approvalOf(old) === approval) return;
  const path = keyPath('metadata.annotations', annotation);
  const must = `protected groups must have approval annotation "${annotation}"`;
  if (approval === 'missing') yield requiredField(path, `${must}, ${see}`);
  if (approval !== 'invalid') return;
  const detail = `${must} with either a URL or a reason starting with "unapproved", ${see}`;
  yield invalidField(path, metadata.annotations?.[annotation], detail);
}
