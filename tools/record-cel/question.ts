import type { JsonValue } from '../../src/api/json.ts';
import type { JsonSchema } from '../../src/schema/custom/json-schema.ts';

/** An expression with its variables. */
export interface Question {
  readonly expression: string;
  /** The name of its variables. */
  readonly setting: string;
  /** Of the servers it must be compatible with; 1.37 when it is not told. */
  readonly version?: string;
  /** It has been stored before. */
  readonly stored?: boolean;
  readonly limit?: number;
  /** With the functions of JSON patches. */
  readonly patch?: boolean;
}

export interface QuestionVariable {
  /** Without one the variable may be anything. */
  readonly schema?: JsonSchema;
  readonly value?: JsonValue;
  /** A resource, with metadata. */
  readonly root?: boolean;
}

/** What the reference, or this server, makes of it. */
export interface Answer {
  readonly compile?: string;
  readonly program?: string;
  readonly type?: string;
  readonly min?: string;
  readonly max?: string;
  readonly result?: string;
  readonly error?: string;
  readonly cost?: number;
}
