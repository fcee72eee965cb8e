import type {
  CSIDriver,
  CSIStorageCapacity,
  StorageClass,
} from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { sameValue } from '../../parts/rules/same-value.ts';
import { nodeLabelWarnings, nodeSelectorWarnings } from '../../parts/selectors/node-labels.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

export function storageClassWarnings({ allowedTopologies }: StorageClass): Warnings {
  return perItem(allowedTopologies, ({ matchLabelExpressions }, index) =>
    perItem(matchLabelExpressions, ({ key = '' }, at) =>
      nodeSelectorWarnings(() => `allowedTopologies[${index}].matchLabelExpressions[${at}].key`, { [key]: '' }),
    ),
  );
}

export function* storageCapacityWarnings({ nodeTopology = {} }: CSIStorageCapacity): Warnings {
  yield* perItem(nodeTopology.matchExpressions, ({ key }, index) =>
    nodeLabelWarnings(`nodeTopology.matchExpressions[${index}].key`, key),
  );
  yield* nodeSelectorWarnings((label) => `nodeTopology.matchLabels.${label}`, nodeTopology.matchLabels);
}

/** Tokens that go into volume attributes may end in a log. */
export function csiDriverWarnings({ spec = {} }: CSIDriver, old?: CSIDriver): string[] {
  const { tokenRequests = [], serviceAccountTokenInSecrets } = spec;
  if (tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  if (old !== undefined && sameValue(old.spec?.tokenRequests, tokenRequests)) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}
