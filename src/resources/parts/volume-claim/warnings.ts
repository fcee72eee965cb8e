import type { PersistentVolumeClaimSpec } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { fractionalByteWarnings } from '../amounts/fractional-bytes.ts';

/** Warnings of the amounts of a claim, wherever it stands. */
export function claimWarnings(path: string, { resources }: PersistentVolumeClaimSpec = {}): string[] {
  return [
    ...fractionalByteWarnings(`${path}.resources.requests`, resources?.requests, ['storage']),
    ...fractionalByteWarnings(`${path}.resources.limits`, resources?.limits, ['storage']),
  ];
}
