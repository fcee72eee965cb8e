import type { JsonValue } from '../../../api/json/json.ts';
import type { JsonSchema } from '../../../schema/custom/json-schema.ts';
import type { Errors } from '../../parts/rules/rules.ts';

/** Compiles and checks CEL rules. */
export interface RuleValidator {
  /** Errors of the rules of a structural schema. */
  schemaErrors(schema: JsonSchema, path: string, validated: ValidatedSchema): Errors;
  /** Evaluates the rules of one schema on default values. */
  defaults(): DefaultValidator;
}

export interface ValidatedSchema {
  /** The version of the schema, or the first of those that share it. */
  readonly version: string;
  /** Parts of the schema with errors at or below them. */
  readonly faulty: ReadonlySet<JsonSchema>;
}

export interface DefaultValidator {
  /** The cost budget is used up. */
  readonly isExhausted: boolean;
  errors(value: {
    readonly schema: JsonSchema;
    /** The schema of an object with kind and metadata. */
    readonly isResource: boolean;
    readonly value: JsonValue;
    readonly path: string;
  }): Errors;
}
