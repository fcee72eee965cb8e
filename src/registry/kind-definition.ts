import type { Defaulters } from '../schema/defaulters.ts';
import type { Converter } from './conversion.ts';
import type { KindAnswers } from './kind-answers.ts';
import type { Strategy } from './strategy.ts';
import type { TableDefinition } from './table.ts';

/**
 * What a kind does beyond its schemas, in all its versions. Built-in kinds have theirs in `resources/`; what clients define at run time
 * yields one as well.
 */
export interface KindDefinition {
  /** That its objects are stored in; the core group is the empty string. */
  readonly group: string;
  readonly kind: string;
  /** Sees objects in the stored version. */
  readonly strategy: Strategy;
  /** Of the types that its objects are made of, in all versions. */
  readonly defaulters: Defaulters;
  readonly converter: Converter;
  readonly answers: KindAnswers;
  /** Loads its Table form. */
  readonly table: () => Promise<TableDefinition>;
}
