import type { TableColumn, TableDefinition } from '../../../registry/kinds/table.ts';

/** Turns a typed definition into the untyped form of the kind table. */
export function defineTable<T>(definition: TableDefinition<T>): TableDefinition {
  // Definitions are looked up by group and kind, so objects are T.
  return definition as unknown as TableDefinition;
}

export const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among objects of its kind in its namespace.',
};

export const ageColumn: TableColumn = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
};

export const createdAtColumn: TableColumn = {
  name: 'Created At',
  type: 'date',
  description: 'When the object was created.',
};

export function textColumn(name: string, description: string): TableColumn {
  return { name, type: 'string', description };
}

export function integerColumn(name: string, description: string): TableColumn {
  return { name, type: 'integer', description };
}

export function booleanColumn(name: string, description: string): TableColumn {
  return { name, type: 'boolean', description };
}

/** A column that is shown only with `-o wide`. */
export function wide(column: TableColumn): TableColumn {
  return { ...column, priority: 1 };
}
