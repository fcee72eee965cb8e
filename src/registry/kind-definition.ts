import type { JsonObject } from '../api/json.ts';
import type { Defaulters } from '../schema/defaulters.ts';
import type { Strategy } from './strategy.ts';
import type { TableDefinition } from './table.ts';

/**
 * A kind beyond its schemas, in all its versions. Built-in kinds have theirs in `resources/`; what a client defines at run time yields one
 * as well. Kinds without one have the default of everything.
 */
export interface KindDefinition {
  /** That its objects are stored in; the core group is the empty string. */
  readonly group: string;
  readonly kind: string;
  /** Sees objects in the stored version. */
  readonly strategy: Strategy;
  /** Of the types that its objects are made of, in all versions. */
  readonly defaults: Defaulters;
  /** What makes an object of any version one of this `apiVersion`; absent: all versions have the same fields. */
  readonly conversions: { readonly [apiVersion: string]: Conversion };
  /** Loads its Table form. */
  table(): Promise<TableDefinition>;
}

/** May change and answer the object that it is given. */
export type Conversion = (object: JsonObject) => JsonObject;
