import type { PersistentVolume } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { endedPersistentVolumeWarnings } from '../../parts/pod-template/ended-volumes.ts';
import { nodeTermWarnings } from '../../parts/selectors/node-labels.ts';
import { classAnnotation } from '../../parts/volume-claim/warnings.ts';
import { annotationWarnings } from '../../parts/warnings/annotations.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

const optionsAnnotation = {
  key: 'volume.beta.kubernetes.io/mount-options',
  text: 'deprecated since v1.31; use "mountOptions" attribute instead',
};

export function* persistentVolumeWarnings({ metadata, spec = {} }: PersistentVolume): Warnings {
  yield* annotationWarnings('metadata.annotations', metadata?.annotations, [classAnnotation, optionsAnnotation]);
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    yield 'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  }
  yield* perItem(spec.nodeAffinity?.required?.nodeSelectorTerms, (term, index) =>
    nodeTermWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, term, { checkValues: false }),
  );
  yield* endedPersistentVolumeWarnings(spec);
}
