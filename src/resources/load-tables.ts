import type { TableDefinition } from '../registry/table.ts';

/** The Table forms of built-in kinds: those with one of their own by `group/Kind` (`/Pod` in the core group), and that of all others. */
export interface BuiltInTables {
  readonly builtInTables: ReadonlyMap<string, TableDefinition>;
  readonly defaultTable: TableDefinition;
}

/** Loads the definitions on the first call, so that a server nobody asks for a Table never pays for them. */
export async function loadTables(): Promise<BuiltInTables> {
  const [{ builtInTables }, { defaultTable }] = await Promise.all([
    import('./tables/built-in-tables.ts'),
    import('./tables/default-table.ts'),
  ]);
  return { builtInTables, defaultTable };
}
