import type { Row } from './rows/row.ts';

/** Rows of these names in the order of the table, all of them if there is no name. */
export function choose(rows: readonly Row[], names: readonly string[]): readonly Row[] {
  const unknown = names.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) throw new NoSuchRow(unknown, namesOf(rows));
  return names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name));
}

export function namesOf(rows: readonly Row[]): readonly string[] {
  return rows.map(({ name }) => name);
}

/** `--only` names a row that the table does not have, or not for this way to run the bench. */
export class NoSuchRow extends Error {
  constructor(unknown: readonly string[], known: readonly string[]) {
    super(`no such row: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  }
}
