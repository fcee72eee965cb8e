import type {
  EvictionRequestStatus,
  EvictionRequestTarget,
  EvictionStatus,
} from '../../schema/kubernetes/generated/types/lifecycle-v1alpha1.ts';
import { findCondition } from '../parts/tables/cell-text.ts';
import { textColumn } from '../parts/tables/define-table.ts';

export const targetColumns = [
  textColumn('Target', 'Name of the object to evict.'),
  textColumn('Target Type', 'Kind of the object.'),
];

export const statusColumn = textColumn('Status', 'State of the eviction.');

export function targetCells({ pod }: EvictionRequestTarget = {}): string[] {
  return pod === undefined ? ['<unset>', '<unset>'] : [pod.name ?? '', 'Pod'];
}

export function evictionStatus({
  conditions,
  observedGeneration = 0,
}: EvictionRequestStatus | EvictionStatus = {}): string {
  const final = ['TargetEvicted', 'Failed']
    .map((type) => findCondition(conditions, type))
    .find((condition) => condition?.status === 'True');
  if (final !== undefined) return `${final.type} (${final.reason ?? ''})`;
  return observedGeneration > 0 ? 'Progressing' : 'Pending';
}
