import type { StatefulSet } from '../../../schema/kubernetes/generated/types/apps-v1.ts';
import { claimWarnings } from '../../parts/volume-claim/warnings.ts';
import { perItem, type Warnings } from '../../parts/warnings/per-item.ts';

export function* statefulSetWarnings({ spec = {} }: StatefulSet, operation: 'create' | 'update'): Warnings {
  yield* perItem(spec.volumeClaimTemplates, (claim, index) => {
    const path = `spec.volumeClaimTemplates[${index}]`;
    return claimWarnings(operation === 'create' ? path : `${path}.Spec`, claim.spec);
  });
  if ((spec.revisionHistoryLimit ?? 0) < 0) {
    yield 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
  }
}
