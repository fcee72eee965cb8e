import { formatGroupResource } from '../../../api/meta/group-version.ts';
import type { IPAddress } from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const ipAddresses = defineTable<IPAddress>({
  columns: [nameColumn, textColumn('ParentRef', 'Object that owns the address.')],
  // There is no Age column, but the reference sends this third cell.
  cells: (address, context) => [nameOf(address), parentText(address), age(address, context)],
});

function parentText({ spec }: Readonly<IPAddress>): string {
  if (spec?.parentRef === undefined) return '<none>';
  const { group = '', resource = '', namespace = '', name = '' } = spec.parentRef;
  const kind = formatGroupResource({ group, resource }).toLowerCase();
  return [kind, ...(namespace === '' ? [] : [namespace]), name].join('/');
}
