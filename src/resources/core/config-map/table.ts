import type { ConfigMap } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const configMaps = defineTable<ConfigMap>({
  columns: [nameColumn, textColumn('Data', 'Number of keys in data and binaryData.'), ageColumn],
  cells: (configMap, context) => [
    nameOf(configMap),
    Object.keys(configMap.data ?? {}).length + Object.keys(configMap.binaryData ?? {}).length,
    age(configMap, context),
  ],
});
