import type { JsonValue } from '../../../src/api/json/json.ts';
import type { JsonSchema } from '../../../src/schema/custom/json-schema.ts';

/** An expression and its variables. */
export interface Question {
  readonly expression: string;
  /** The name of its variables. */
  readonly setting: string;
  /** The compatibility version; default 1.37. */
  readonly version?: string;
  /** Whether it counts as a stored expression. */
  readonly stored?: boolean;
  readonly limit?: number;
  /** With the functions for JSON patches. */
  readonly patch?: boolean;
  /** In place of the values of the setting's variables. */
  readonly values?: { readonly [variable: string]: JsonValue };
}

export interface QuestionVariable {
  /** If absent, the variable has type dyn. */
  readonly schema?: JsonSchema;
  readonly value?: JsonValue;
  /** A resource, with metadata. */
  readonly root?: boolean;
}

/** The result of the reference or of this server. */
export interface Evaluation {
  readonly compile?: string;
  readonly program?: string;
  readonly type?: string;
  readonly min?: string;
  readonly max?: string;
  readonly result?: string;
  readonly error?: string;
  readonly cost?: number;
}
