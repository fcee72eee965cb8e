import type { JsonValue } from '../api/json.ts';
import type { KubernetesObject } from '../api/object.ts';

/** How a kind prints as a Table (specification, "Table response shape"). One row of the table in `tables/`. */
export interface TableDefinition<T = KubernetesObject> {
  readonly columns: readonly TableColumn[];
  /** One value for each column, in order. */
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

export interface TableContext {
  /** Milliseconds since the epoch: ages count from here. */
  readonly nowMs: number;
}
