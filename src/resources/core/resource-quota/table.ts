import { getOwn } from '../../../api/json/json.ts';
import type { ResourceQuota } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { byBytes, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const resourceQuotas = defineTable<ResourceQuota>({
  columns: [
    nameColumn,
    textColumn('Request', 'Usage and limit of each resource that is counted by requests or objects.'),
    textColumn('Limit', 'Usage and limit of each resource that is counted by limits.'),
    ageColumn,
  ],
  cells(quota, context) {
    const { hard = {}, used = {} } = quota.status ?? {};
    const amounts = (resources: readonly string[]): string =>
      resources
        .map((resource) => `${resource}: ${getOwn(used, resource) ?? '0'}/${getOwn(hard, resource) ?? '0'}`)
        .join(', ');
    const { limits = [], others = [] } = Object.groupBy(Object.keys(hard).toSorted(byBytes), (resource) =>
      resource.startsWith('limits.') ? 'limits' : 'others',
    );
    return [nameOf(quota), amounts(others), amounts(limits), age(quota, context)];
  },
});
