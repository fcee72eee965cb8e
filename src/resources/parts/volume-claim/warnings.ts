import type { PersistentVolumeClaimSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { fractionalByteWarnings } from '../amounts/fractional-bytes.ts';
import type { DeprecatedAnnotation } from '../warnings/annotations.ts';

/** For claims and volumes. */
export const classAnnotation: DeprecatedAnnotation = {
  key: 'volume.beta.kubernetes.io/storage-class',
  text: 'deprecated since v1.8; use "storageClassName" attribute instead',
};

/** Warnings about the quantities of a claim. */
export function claimWarnings(path: string, { resources }: PersistentVolumeClaimSpec = {}): string[] {
  return [
    ...fractionalByteWarnings(`${path}.resources.requests`, resources?.requests, ['storage']),
    ...fractionalByteWarnings(`${path}.resources.limits`, resources?.limits, ['storage']),
  ];
}
