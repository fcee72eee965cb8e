import type { JsonValue } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';

/** How a kind prints as a Table (specification, "Table response shape"). Loaded by the definition of the kind. */
export interface TableDefinition<T = KubernetesObject> {
  readonly columns: readonly TableColumn[];
  /** The rows of nothing are null and not an empty list: so the reference prints kinds that have no printer of their own. */
  readonly nullRows?: boolean;
  /** The cells of one object, in the order of the columns. */
  cells(object: Readonly<T>, context: TableContext): JsonValue[];
  /** What the row says of its object beside the cells; absent or undefined: nothing. */
  rowConditions?(object: Readonly<T>): readonly TableRowCondition[] | undefined;
  /** For kinds whose rows of one list (or page) depend on one another. Absent: each object by itself, in the list's order. */
  list?(objects: readonly Readonly<T>[]): TableList<T>;
}

/** The rows of a list: its objects in the order of the rows, and how their cells print there. */
export interface TableList<T = KubernetesObject> {
  readonly objects: readonly Readonly<T>[];
  cells(object: Readonly<T>, context: TableContext): JsonValue[];
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` for the primary column, else empty. */
  readonly format?: string;
  /** Our own words. */
  readonly description: string;
  /** 0 is shown always; above 0 only by `-o wide`. */
  readonly priority?: number;
}

/** `conditions` of a row: clients dim or hide rows that are `Completed`. */
export interface TableRowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface TableContext {
  /** Milliseconds since the epoch: ages count from here. */
  readonly nowMs: number;
}
