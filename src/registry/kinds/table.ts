import type { JsonValue } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';

/** How a kind prints as a Table (specification, "Table response shape"). Imported lazily by its definition. */
export interface TableDefinition<T = KubernetesObject> {
  readonly columns: readonly TableColumn[];
  /** Rows of an empty list are null instead of an empty list, as in the reference for kinds without a printer. */
  readonly nullRows?: boolean;
  /** The cells of one object, in column order. */
  cells(object: Readonly<T>, context: TableContext): JsonValue[];
  /** `conditions` of the row; absent or undefined: none. */
  rowConditions?(object: Readonly<T>): readonly TableRowCondition[] | undefined;
  /**
   * For kinds whose rows depend on the other objects of the list (or page). Absent: each object by itself, in list
   * order.
   */
  list?(objects: readonly Readonly<T>[]): TableList<T>;
}

/** The rows of a list: its objects in row order, and how to print their cells. */
export interface TableList<T = KubernetesObject> {
  readonly objects: readonly Readonly<T>[];
  cells(object: Readonly<T>, context: TableContext): JsonValue[];
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` for the primary column, else empty. */
  readonly format?: string;
  /** In our own words. */
  readonly description: string;
  /** 0: always shown; above 0: only with `-o wide`. */
  readonly priority?: number;
}

/** `conditions` of a row: clients dim or hide `Completed` rows. */
export interface TableRowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface TableContext {
  /** Milliseconds since the epoch: the base for ages. */
  readonly nowMs: number;
}
