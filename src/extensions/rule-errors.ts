import type { FieldError, FieldErrors } from '../api/field-error.ts';
import { schemaHas } from '../schema/custom/json-schema.ts';
import type { Schema } from '../schema/schema.ts';

/** The reference has no path for what is wrong with an object as a whole. */
export const noPath = '<nil>';

/** Types of errors after which nobody asks rules about an object. */
const blocking: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const unasked: FieldError = {
  type: 'FieldValueInvalid',
  field: noPath,
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

/** What is wrong with an object by its schema, and then by the rules of the schema: those that were not asked are told of. */
export function* withRules(schema: Schema, errors: FieldErrors): FieldErrors {
  let isBlocked = false;
  for (const error of errors) {
    isBlocked ||= error !== undefined && blocking.has(error.type);
    yield error;
  }
  if (isBlocked && hasRules(schema)) yield unasked;
}

const known = new WeakMap<Schema, boolean>();

function hasRules(schema: Schema): boolean {
  let found = known.get(schema);
  if (found === undefined) {
    found = schemaHas(schema.definition ?? {}, (part) => (part['x-kubernetes-validations'] ?? []).length > 0);
    known.set(schema, found);
  }
  return found;
}
