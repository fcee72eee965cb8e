import type { RuleTimes } from '../cel/rules/rule-times.ts';
import type { Schema } from '../schema/schema.ts';
import type { DefinitionVersion } from './definition.ts';

/** One version of a definition. Its schema is compiled on first use. */
export interface CustomVersion {
  readonly name: string;
  readonly definition: DefinitionVersion;
  readonly schema: Schema;
  /** Whether its schema has defaults. */
  readonly defaults: boolean;
}

export interface CustomKind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The versions; objects are stored in the first one. */
  readonly versions: readonly CustomVersion[];
  /** Whether the definition is being deleted. */
  readonly isTerminating: () => boolean;
  /** Takes the times of its validation rules. */
  readonly times: RuleTimes;
}
