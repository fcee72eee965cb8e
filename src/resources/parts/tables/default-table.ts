import type { TableDefinition } from '../../../registry/kinds/table.ts';
import { nameOf } from './cell-text.ts';
import { createdAtColumn, nameColumn } from './define-table.ts';
import { createdAt } from './time-text.ts';

/** The Table of kinds without a definition of their own (specification, "Table response shape"). */
export const defaultTable: TableDefinition = {
  columns: [nameColumn, createdAtColumn],
  nullRows: true,
  cells: (object) => [nameOf(object), createdAt(object)],
};
