import type { JsonValue } from '../api/json.ts';
import type { ValidationRule } from './kubernetes/generated/types/apiextensions-v1.ts';
import type { Schema } from './schema.ts';

/**
 * What the values of a custom kind must be, as its definition says it in the keywords of OpenAPI. Alternatives are schemas as well, most
 * of which have demands alone.
 */
export interface ValueDemands {
  /** As the definition names them: none is any type, an int-or-string has two. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** As the definition names it; empty where there is none. */
  readonly format: string;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | bigint | undefined;
  readonly maxLength: number | bigint | undefined;
  readonly pattern: string;
  readonly minItems: number | bigint | undefined;
  readonly maxItems: number | bigint | undefined;
  readonly minProperties: number | bigint | undefined;
  readonly maxProperties: number | bigint | undefined;
  readonly required: readonly string[];
  readonly enum: readonly JsonValue[];
  readonly anyOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly allOf: readonly Schema[];
  readonly not: Schema | undefined;
  /** All properties that the definition has, those of metadata among them. */
  readonly properties: ReadonlyMap<string, Schema>;
  readonly items: Schema | undefined;
  /** Of properties without a schema of their own. */
  readonly others: Schema | 'forbidden' | undefined;
  /** CEL rules, of which this knows nothing but their text. */
  readonly rules: readonly ValidationRule[];
}
