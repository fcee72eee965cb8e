import type { FieldError } from '../../api/field-error.ts';
import type { JsonSchema } from './json-schemas.ts';

/** Default values of a schema that is structural. */
export function defaultErrors(_schema: JsonSchema, _path: string): readonly FieldError[] {
  return [];
}
