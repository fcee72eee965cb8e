import type { JsonObject, JsonValue } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { TableContext, TableDefinition, TableRowCondition } from '../registry/kinds/table.ts';

/** One row of a Table and its object. */
export interface TableRow {
  readonly cells: readonly JsonValue[];
  readonly conditions?: readonly TableRowCondition[];
  readonly object: Readonly<KubernetesObject>;
}

/** The row of a single object: for a GET or a watch event. */
export function tableRow(
  definition: TableDefinition,
  object: Readonly<KubernetesObject>,
  context: TableContext,
): TableRow {
  return rowWith(definition, object, definition.cells(object, context));
}

/** The rows of a list or page. */
export function tableRows(
  definition: TableDefinition,
  objects: readonly Readonly<KubernetesObject>[],
  context: TableContext,
): TableRow[] {
  const list = definition.list?.(objects) ?? { objects, cells: (object) => definition.cells(object, context) };
  return list.objects.map((object) => rowWith(definition, object, list.cells(object, context)));
}

function rowWith(definition: TableDefinition, object: Readonly<KubernetesObject>, cells: JsonValue[]): TableRow {
  const conditions = definition.rowConditions?.(object);
  return conditions === undefined ? { cells, object } : { cells, conditions, object };
}

/** `columnDefinitions` of a Table in wire form. */
export function columnDefinitions({ columns }: TableDefinition): JsonObject[] {
  return columns.map(({ name, type, format = '', description, priority = 0 }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}
