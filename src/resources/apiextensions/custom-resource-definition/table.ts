import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { byBytes, nameOf } from '../../parts/tables/cell-text.ts';
import {
  booleanColumn,
  createdAtColumn,
  defineTable,
  nameColumn,
  textColumn,
  wide,
} from '../../parts/tables/define-table.ts';
import { createdAt } from '../../parts/tables/time-text.ts';

export const customResourceDefinitions = defineTable<CustomResourceDefinition>({
  nullRows: true,
  columns: [
    nameColumn,
    textColumn('Scope', 'Whether its objects are namespaced.'),
    textColumn('Versions', 'Served versions.'),
    createdAtColumn,
    wide(textColumn('Group', 'Group of the kind.')),
    wide(textColumn('Kind', 'Name of the kind.')),
    wide(textColumn('ShortNames', 'Short names of the resource.')),
    wide(booleanColumn('Established', 'Whether the kind is served.')),
  ],
  cells(definition) {
    const { spec = {}, status } = definition;
    const versions = spec.versions
      ?.filter(({ served }) => served)
      .map(({ name = '', storage }) => (storage ? `${name}(storage)` : name));
    return [
      nameOf(definition),
      spec.scope ?? '',
      versions?.toSorted(byBytes).join(',') ?? '',
      createdAt(definition),
      spec.group ?? '',
      spec.names?.kind ?? '',
      spec.names?.shortNames?.join(',') ?? '',
      status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True') ?? false,
    ];
  },
});
