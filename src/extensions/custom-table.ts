import { goPrint } from '../api/json/go-print.ts';
import { encodeAny } from '../api/json/json-text.ts';
import { isJsonObject, type JsonValue } from '../api/json/json.ts';
import { humanDuration } from '../api/time/human-duration.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { instantMs, isZeroTime, type ParsedTime, parseTime, TimeError } from '../api/time/time.ts';
import type { TableColumn, TableContext, TableDefinition } from '../registry/kinds/table.ts';
import { type JsonPath, JsonPathError, parseJsonPath } from './json-path.ts';
import type { Column, DefinitionVersion } from './definition.ts';

/** The Table of a custom resource: its name and its additionalPrinterColumns. */
export function customTable({ additionalPrinterColumns = [] }: DefinitionVersion): TableDefinition {
  return tableWith(additionalPrinterColumns.length === 0 ? [ageColumn] : additionalPrinterColumns);
}

/** The Table of the scale subresource: of scales as they are written, without a desired number of zero. */
export function scaleTable(): TableDefinition {
  const table = tableWith([desiredColumn, availableColumn, ageColumn]);
  return { ...table, cells: (scale, context) => table.cells(withoutZero(scale), context) };
}

function withoutZero(scale: Readonly<KubernetesObject>): Readonly<KubernetesObject> {
  const { spec } = scale;
  return isJsonObject(spec) && spec['replicas'] === 0 ? { ...scale, spec: {} } : scale;
}

const ageColumn: Column = {
  name: 'Age',
  type: 'date',
  description: 'When the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

const desiredColumn: Column = {
  name: 'Desired',
  type: 'integer',
  description: 'Number of replicas that are wanted.',
  jsonPath: '.spec.replicas',
};

const availableColumn: Column = {
  name: 'Available',
  type: 'integer',
  description: 'Number of replicas that there are.',
  jsonPath: '.status.replicas',
};

const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among objects of its kind in its namespace.',
};

interface Printed {
  readonly column: TableColumn;
  readonly path: JsonPath;
}

function tableWith(columns: readonly Column[]): TableDefinition {
  const printed = printedColumns(columns);
  return {
    columns: [nameColumn, ...printed.shown],
    cells: (object, context) => [
      object.metadata.name ?? '',
      ...printed.filled.map(({ column, path }) => cellOf(object, { column, path }, context)),
    ],
  };
}

/** The first column with an invalid path ends the table: it and all later ones are dropped. */
function printedColumns(columns: readonly Column[]): { shown: TableColumn[]; filled: Printed[] } {
  const printed: Printed[] = [];
  for (const given of columns) {
    const path = pathOf(given.jsonPath ?? '');
    if (path === undefined) break;
    printed.push({ column: columnOf(given), path });
  }
  return { shown: printed.map(({ column }) => column), filled: printed };
}

function pathOf(text: string): JsonPath | undefined {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function columnOf({ name, type, format = '', description = '', jsonPath, priority = 0 }: Column): TableColumn {
  return {
    name: name ?? '',
    // Validated when the definition was written.
    type: type as TableColumn['type'],
    format,
    description:
      description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
    priority: Number(priority),
  };
}

function cellOf(object: Readonly<KubernetesObject>, { column, path }: Printed, { nowMs }: TableContext): JsonValue {
  const value = firstFound(object, path);
  if (value === undefined) return null;
  if (column.type === 'string') return cellText(value);
  return cells[column.type]?.(value, nowMs) ?? null;
}

function firstFound(object: Readonly<KubernetesObject>, path: JsonPath): JsonValue | undefined {
  try {
    // Objects are JSON-shaped.
    return path(object)[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** As Go converts: what is beyond all integers becomes the least one. */
function int64Of(value: number): JsonValue {
  return value >= 2 ** 63 || value < -(2 ** 63) ? -(2n ** 63n) : Math.trunc(value);
}

/** Cell values by column type; undefined leaves the cell empty. */
const cells: { readonly [type: string]: (value: JsonValue, nowMs: number) => JsonValue | undefined } = {
  integer: (value) => (typeof value === 'number' ? int64Of(value) : typeof value === 'bigint' ? value : undefined),
  number: (value) => (typeof value === 'number' || typeof value === 'bigint' ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date(value, nowMs) {
    if (typeof value !== 'string') return undefined;
    if (value === '' || value === 'null') return '<unknown>';
    const time = timeIn(value);
    if (time === undefined) return '<invalid>';
    return isZeroTime(time) ? '<unknown>' : humanDuration(nowMs - instantMs(time));
  },
};

function timeIn(text: string): ParsedTime | undefined {
  try {
    return parseTime(text);
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}

function cellText(value: JsonValue): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? encodeAny(value) : goPrint(value);
}
