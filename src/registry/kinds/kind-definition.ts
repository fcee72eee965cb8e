import type { Defaulters } from '../../schema/defaulters.ts';
import type { Converter } from './conversion.ts';
import type { KindResponses } from './kind-responses.ts';
import type { Strategy } from './strategy.ts';
import type { TableDefinition } from './table.ts';

/**
 * What a kind does beyond its schemas, in all versions. Built-in kinds are defined in `resources/`; custom kinds
 * yield one too.
 */
export interface KindDefinition {
  /** The group in storage; the core group is the empty string. */
  readonly group: string;
  readonly kind: string;
  /** Operates on objects in the storage version. */
  readonly strategy: Strategy;
  /** Defaults for its types, in all versions. */
  readonly defaulters: Defaulters;
  readonly converter: Converter;
  readonly responses: KindResponses;
  /** Imported lazily. */
  readonly table: () => Promise<TableDefinition>;
}
