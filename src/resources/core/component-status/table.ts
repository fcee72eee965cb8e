import type { ComponentStatus } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { findCondition, nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';

export const componentStatuses = defineTable<ComponentStatus>({
  columns: [
    nameColumn,
    textColumn('Status', 'Whether the component is healthy.'),
    textColumn('Message', 'Response of the component.'),
    textColumn('Error', 'Why the component could not be checked.'),
  ],
  cells(component) {
    const healthy = findCondition(component.conditions, 'Healthy');
    const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [nameOf(component), status, healthy?.message ?? '', healthy?.error ?? ''];
  },
});
