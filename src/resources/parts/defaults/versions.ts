import type { Defaulters } from '../../../schema/defaulters.ts';
import type { DefaulterRow } from './fill.ts';

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
