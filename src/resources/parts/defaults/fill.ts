import { copyJson, type JsonObject, type JsonValue } from '../../../api/json.ts';
import type { Defaulters } from '../../../schema/defaulters.ts';

/** A row of a table of defaults: what one named type fills in. */
export type DefaulterRow = Defaulters[string];

/** Sets the fields that are absent. */
export function fill(value: JsonObject, defaults: { readonly [field: string]: JsonValue }): void {
  for (const [field, fallback] of Object.entries(defaults)) {
    if (value[field] === undefined) value[field] = copyJson(fallback);
  }
}

/** A row of fixed values. */
export function fixed(defaults: { readonly [field: string]: JsonValue }): DefaulterRow {
  return (value) => fill(value, defaults);
}

/** A row of code that sees the value as its type: rows stand under the name of the definition that they are called with. */
export function typed<T>(set: (value: T) => void): DefaulterRow {
  return (value) => set(value as T);
}

/** Several rows of one type, in their order. */
export function inTurn(...rows: readonly DefaulterRow[]): DefaulterRow {
  return (value) => {
    for (const row of rows) row(value);
  };
}

/** The same row for every version of a type that has it. */
export function versions(
  prefix: string,
  names: readonly string[],
  rows: { readonly [type: string]: DefaulterRow },
): Defaulters {
  return Object.fromEntries(
    names.flatMap((version) =>
      Object.entries(rows).map(([type, row]) => [`${prefix}.${version}.${type}`, row] as const),
    ),
  );
}
