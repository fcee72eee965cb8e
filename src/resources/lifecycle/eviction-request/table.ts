import type { EvictionRequest } from '../../../schema/kubernetes/generated/types/lifecycle-v1alpha1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';
import { evictionStatus, statusColumn, targetCells, targetColumns } from '../table-parts.ts';

export const evictionRequests = defineTable<EvictionRequest>({
  columns: [
    nameColumn,
    ...targetColumns,
    statusColumn,
    textColumn('Requester', 'Requester of the eviction.'),
    textColumn('Intent', 'Whether the eviction is requested or withdrawn.'),
    ageColumn,
  ],
  cells: (request, context) => [
    nameOf(request),
    ...targetCells(request.spec?.target),
    evictionStatus(request.status),
    request.spec?.requester ?? '',
    request.spec?.intent ?? '',
    age(request, context),
  ],
});
