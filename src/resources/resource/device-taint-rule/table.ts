import type { DeviceTaintRule } from '../../../schema/kubernetes/generated/types/resource-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age, timeSince } from '../../parts/tables/time-text.ts';

export const deviceTaintRules = defineTable<DeviceTaintRule>({
  columns: [
    nameColumn,
    textColumn('Key', 'Key of the taint.'),
    textColumn('Value', 'Value of the taint.'),
    textColumn('Effect', 'Effect of the taint.'),
    textColumn('TimeAdded', 'Time since the taint was set.'),
    ageColumn,
  ],
  cells(rule, context) {
    const { key = '', value = '', effect = '', timeAdded } = rule.spec?.taint ?? {};
    const added = timeAdded === undefined ? '' : timeSince(timeAdded, context);
    return [nameOf(rule), key, value, effect, added, age(rule, context)];
  },
});
