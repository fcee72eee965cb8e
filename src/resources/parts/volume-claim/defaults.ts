import type { Defaulters } from '../../../schema/defaulters.ts';
import type { PersistentVolumeClaim } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { roundsUp } from '../amounts/resource-list.ts';
import { fixed, typed } from '../defaults/fill.ts';

/** For claim specs, including those of ephemeral volumes. */
export const volumeClaimSpecDefaults: Defaulters = {
  'io.k8s.api.core.v1.PersistentVolumeClaimSpec': fixed({ volumeMode: 'Filesystem' }),
  'io.k8s.api.core.v1.VolumeResourceRequirements': roundsUp('limits', 'requests'),
};

/** For whole claims. */
export const volumeClaimDefaults: Defaulters = {
  ...volumeClaimSpecDefaults,
  'io.k8s.api.core.v1.PersistentVolumeClaim': typed<PersistentVolumeClaim>((claim) => {
    claim.status = { phase: 'Pending', ...claim.status };
  }),
  'io.k8s.api.core.v1.PersistentVolumeClaimStatus': roundsUp('allocatedResources', 'capacity'),
};
