import type { JsonValue } from '../../../api/json/json.ts';
import type { TableContext } from '../../../registry/kinds/table.ts';
import type { FlowSchema } from '../../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { byBytes, findCondition, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const flowSchemas = defineTable<FlowSchema>({
  columns: [
    nameColumn,
    textColumn('PriorityLevel', 'Priority level of its requests.'),
    textColumn('MatchingPrecedence', 'Matching precedence: the lowest matching flow schema applies.'),
    textColumn('DistinguisherMethod', 'How requests are grouped into flows.'),
    ageColumn,
    textColumn('MissingPL', 'Whether the priority level is missing.'),
  ],
  cells: flowSchemaCells,
  list: (objects) => ({ objects: objects.toSorted(byPrecedence), cells: flowSchemaCells }),
});

function flowSchemaCells(schema: Readonly<FlowSchema>, context: TableContext): JsonValue[] {
  const { spec = {}, status } = schema;
  return [
    nameOf(schema),
    spec.priorityLevelConfiguration?.name ?? '',
    spec.matchingPrecedence ?? 0,
    spec.distinguisherMethod === undefined ? '<none>' : (spec.distinguisherMethod.type ?? ''),
    age(schema, context),
    findCondition(status?.conditions, 'Dangling')?.status ?? '?',
  ];
}

function byPrecedence(a: Readonly<FlowSchema>, b: Readonly<FlowSchema>): number {
  const precedence = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  return precedence || byBytes(nameOf(a), nameOf(b));
}
