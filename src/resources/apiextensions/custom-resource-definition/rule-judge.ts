import type { JsonValue } from '../../../api/json.ts';
import type { JsonSchema } from '../../../schema/custom/json-schema.ts';
import type { Errors } from '../../parts/rules/rules.ts';

/** Who can read expressions. */
export interface RuleJudge {
  /** What is wrong with the rules of a structural schema. */
  schemaErrors(schema: JsonSchema, path: string, judged: JudgedSchema): Errors;
  /** The rules about default values of one schema. */
  defaults(): DefaultJudge;
}

export interface JudgedSchema {
  /** The version whose schema it is, or the first of those that share it. */
  readonly version: string;
  /** Parts in which something is wrong already, or below which. */
  readonly faulty: ReadonlySet<JsonSchema>;
}

export interface DefaultJudge {
  /** No more may be asked. */
  readonly isExhausted: boolean;
  errors(value: {
    readonly schema: JsonSchema;
    /** The schema of an object, with a kind and metadata. */
    readonly isResource: boolean;
    readonly value: JsonValue;
    readonly path: string;
  }): Errors;
}
