import type { ResourceClaim } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const resourceClaims = defineTable<ResourceClaim>({
  columns: [nameColumn, textColumn('State', 'Allocation and reservation of devices.'), ageColumn],
  cells: (claim, context) => [nameOf(claim), claimState(claim), age(claim, context)],
});

function claimState({ metadata, status = {} }: Readonly<ResourceClaim>): string {
  const isDeleted = metadata?.deletionTimestamp !== undefined;
  const isAllocated = status.allocation !== undefined;
  const states = {
    deleted: isDeleted,
    pending: !isAllocated && !isDeleted,
    allocated: isAllocated,
    reserved: isAllocated && Boolean(status.reservedFor?.length),
  };
  return Object.entries(states)
    .filter(([, holds]) => holds)
    .map(([state]) => state)
    .join(',');
}
