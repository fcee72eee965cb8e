import type { CSIDriver } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { sameValue } from '../../parts/rules/same-value.ts';

/** Tokens passed as volume attributes may be logged. */
export function csiDriverWarnings({ spec = {} }: CSIDriver, old?: CSIDriver): string[] {
  const { tokenRequests = [], serviceAccountTokenInSecrets } = spec;
  if (tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  if (old !== undefined && sameValue(old.spec?.tokenRequests, tokenRequests)) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}
