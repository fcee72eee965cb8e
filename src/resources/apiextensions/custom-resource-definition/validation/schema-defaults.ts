import {
  childPath,
  type FieldError,
  fieldErrorText,
  invalidField,
  keyPath,
} from '../../../../api/errors/field-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../api/json/json.ts';
import { inKeyOrder } from '../../../../api/json/json-text.ts';
import { partSchema } from '../../../../schema/custom/custom-schema.ts';
import { isPlain, type JsonSchema, schemaIn } from '../../../../schema/custom/json-schema.ts';
import { hasUnknownFields } from '../../../../schema/custom/unknown-fields.ts';
import { validateMember } from '../../../../schema/custom/validate-value.ts';
import type { Errors } from '../../../parts/rules/rules.ts';
import type { DefaultValidator } from '../rule-validator.ts';
import { embeddedObjectErrors } from './embedded-objects.ts';

// Default values must themselves conform to their schema.

/** The position of a schema in its enclosing object. */
interface SchemaPosition extends DefaultRequirements {
  /** The schema of the enclosing object. */
  readonly object: JsonSchema;
  /** An object with only this value set. */
  surround(value: JsonValue): JsonObject;
  readonly inMetadata: boolean;
}

/** Errors of the default values in the structural schema of an object. */
export function defaultErrors(
  schema: JsonSchema,
  path: string,
  { prunedDefaults, rules }: DefaultRequirements,
): Errors {
  const root: JsonSchema = { ...schema, 'x-kubernetes-embedded-resource': true };
  return errorsBelow(root, path, { object: root, surround: asObject, inMetadata: false, prunedDefaults, rules });
}

interface DefaultRequirements {
  /** Defaults must not have fields unknown to their schema. */
  readonly prunedDefaults: boolean;
  /** Undefined if there are no rules. */
  readonly rules: DefaultValidator | undefined;
}

function asObject(value: JsonValue): JsonObject {
  return { kind: 'Validation', apiVersion: 'validation/v1', ...(isJsonObject(value) ? value : {}) };
}

function* errorsBelow(schema: JsonSchema, path: string, outer: SchemaPosition): Errors {
  if (outer.rules?.isExhausted === true) return;
  const isObject = schema['x-kubernetes-embedded-resource'] === true;
  const place: SchemaPosition = isObject ? { ...outer, object: schema, surround: asObject, inMetadata: false } : outer;
  const { default: value } = schema;
  if (value !== undefined && value !== null) yield* defaultError(schema, value, { path, place });
  const items = schemaIn(schema.items);
  if (items !== undefined) {
    const inItem = { ...place, surround: (item: JsonValue) => place.surround([item]) };
    yield* errorsBelow(items, childPath(path, 'items'), inItem);
  }
  const { properties = {} } = schema;
  for (const name of Object.keys(properties)) {
    const property = properties[name] ?? {};
    if (isPlain(property)) continue;
    const inProperty: SchemaPosition = {
      ...place,
      surround: (inner) => place.surround({ [name]: inner }),
      inMetadata: place.inMetadata || (isObject && ['metadata', 'apiVersion', 'kind'].includes(name)),
    };
    yield* errorsBelow(property, keyPath(childPath(path, 'properties'), name), inProperty);
  }
}

interface Standing {
  readonly path: string;
  readonly place: SchemaPosition;
}

/** Rules are evaluated only on values without other errors. */
function* defaultError(schema: JsonSchema, value: JsonValue, { path, place }: Standing): Errors {
  const defaultPath = childPath(path, 'default');
  const errors = valueErrors(schema, value, { path: defaultPath, place });
  yield* errors;
  if (errors.some(({ detail }) => detail !== unknownFields)) return;
  yield* place.rules?.errors({ schema, isResource: schema === place.object, value, path: defaultPath }) ?? [];
}

const unknownFields = 'must not have unknown fields';

function valueErrors(schema: JsonSchema, value: JsonValue, { path: defaultPath, place }: Standing): FieldError[] {
  if (place.inMetadata) {
    const texts = embeddedObjectErrors(place.object, place.surround(value), '').map(fieldErrorText);
    const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
    if (texts.length > 0)
      return [invalidField(defaultPath, inKeyOrder(value), `must result in valid metadata: ${all}`)];
    return validateMember(partSchema(schema), { object: schema, key: 'default', value }, defaultPath);
  }
  const unknown =
    place.prunedDefaults && hasUnknownFields(value, schema)
      ? [invalidField(defaultPath, inKeyOrder(value), unknownFields)]
      : [];
  const objects = embeddedObjectErrors(schema, value, defaultPath);
  return [
    ...unknown,
    ...(objects.length > 0
      ? objects
      : validateMember(partSchema(schema), { object: schema, key: 'default', value }, defaultPath)),
  ];
}
