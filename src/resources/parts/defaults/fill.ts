import { copyJson, type JsonObject, type JsonValue } from '../../../api/json/json.ts';
import type { Defaulters } from '../../../schema/defaulters.ts';

/** The defaults of one named type. */
export type DefaulterRow = Defaulters[string];

/** Sets absent fields. */
export function fill(value: JsonObject, defaults: { readonly [field: string]: JsonValue }): void {
  for (const [field, fallback] of Object.entries(defaults)) {
    if (value[field] === undefined) value[field] = copyJson(fallback);
  }
}

/** A row of constant defaults. */
export function fixed(defaults: { readonly [field: string]: JsonValue }): DefaulterRow {
  return (value) => fill(value, defaults);
}

/** A row with a typed function: rows are registered under the name of the definition they are called with. */
export function typed<T>(set: (value: T) => void): DefaulterRow {
  return (value) => set(value as T);
}

/** Several rows for one type, applied in order. */
export function inTurn(...rows: readonly DefaulterRow[]): DefaulterRow {
  return (value, clock) => {
    for (const row of rows) row(value, clock);
  };
}

/** One row for every version of a type. */
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
