import type { CSIStorageCapacity } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { nodeLabelWarnings, nodeSelectorWarnings } from '../../parts/selectors/node-labels.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

export function* storageCapacityWarnings({ nodeTopology = {} }: CSIStorageCapacity): Warnings {
  yield* perItem(nodeTopology.matchExpressions, ({ key }, index) =>
    nodeLabelWarnings(`nodeTopology.matchExpressions[${index}].key`, key),
  );
  yield* nodeSelectorWarnings((label) => `nodeTopology.matchLabels.${label}`, nodeTopology.matchLabels);
}
