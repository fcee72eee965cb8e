import type { PersistentVolumeClaimSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { fractionalByteWarnings } from '../amounts/fractional-bytes.ts';
import type { DeprecatedAnnotation } from '../warnings/annotations.ts';

/** Of claims and of volumes. */
export const classAnnotation: DeprecatedAnnotation = {
  key: 'volume.beta.kubernetes.io/storage-class',
  text: 'deprecated since v1.8; use "storageClassName" attribute instead',
};

/** Warnings of the amounts of a claim, wherever it stands. */
export function claimWarnings(path: string, { resources }: PersistentVolumeClaimSpec = {}): string[] {
  return [
    ...fractionalByteWarnings(`${path}.resources.requests`, resources?.requests, ['storage']),
    ...fractionalByteWarnings(`${path}.resources.limits`, resources?.limits, ['storage']),
  ];
}
