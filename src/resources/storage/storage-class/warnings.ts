import type { StorageClass } from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { nodeSelectorWarnings } from '../../parts/selectors/node-labels.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

export function storageClassWarnings({ allowedTopologies }: StorageClass): Warnings {
  return perItem(allowedTopologies, ({ matchLabelExpressions }, index) =>
    perItem(matchLabelExpressions, ({ key = '' }, at) =>
      nodeSelectorWarnings(() => `allowedTopologies[${index}].matchLabelExpressions[${at}].key`, { [key]: '' }),
    ),
  );
}
