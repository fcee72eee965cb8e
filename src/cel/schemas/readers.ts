import { isJsonObject } from '../../api/json/json.ts';
import { goTypeOf } from '../../api/json/go-print.ts';
import { type JsonSchema, schemaIn } from '../../schema/custom/json-schema.ts';
import { escapeName } from '../values/escaped-names.ts';
import { readBytes, readDate, readDateTime, readDuration } from '../values/formatted-texts.ts';
import { type ListMode, PreservedJson, type Reader, TypedList, TypedMap, TypedObject } from '../values/typed.ts';
import { CelError, Double, isInt, type Value } from '../values/value.ts';
import { withObjectMeta } from './object-meta.ts';

/** Wraps JSON as values of the schema's types. Nothing is read before it is accessed. */
export function readerOf(schema: JsonSchema, isResource = false): Reader {
  const read = typeReader(isResource ? withObjectMeta(schema) : schema);
  return schema.nullable === true
    ? (json) => (json === null ? null : read(json))
    : (json) => (json === null || json === undefined ? notNullable : read(json));
}

const notNullable = new CelError('invalid data, got null for schema with nullable=false');

function typeReader(schema: JsonSchema): Reader {
  if (schema['x-kubernetes-int-or-string'] === true) return readIntOrString;
  switch (schema.type) {
    case 'object':
      return objectReader(schema);
    case 'array':
      return listReader(schema);
    case 'string':
      return textReader(schema.format);
    case 'number':
      return readDouble;
    case 'integer':
      return readInteger;
    case 'boolean':
      return (json) => (typeof json === 'boolean' ? json : wrong('bool', json));
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] === true
        ? (json) => new PreservedJson(json)
        : () => untyped;
  }
}

const untyped = new CelError(
  'invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ',
);

function wrong(expected: string, json: unknown): CelError {
  // decoded data is JSON
  const found = json instanceof Double ? 'float64' : goTypeOf(json as Parameters<typeof goTypeOf>[0]);
  return new CelError(`invalid data, expected ${expected}, got ${found}`);
}

function readIntOrString(json: unknown): Value {
  if (typeof json === 'string') return json;
  const isInteger = typeof json === 'bigint' || Number.isSafeInteger(json);
  return isInteger
    ? (json as number | bigint)
    : new CelError('invalid data, expected XIntOrString value to be either a string or integer');
}

function readDouble(json: unknown): Value {
  if (json instanceof Double) return json;
  return typeof json === 'number' || typeof json === 'bigint' ? new Double(Number(json)) : wrong('float', json);
}

function readInteger(json: unknown): Value {
  const isInteger = typeof json === 'number' ? Number.isSafeInteger(json) : isInt(json as Value);
  return isInteger ? (json as number | bigint) : wrong('int', json);
}

function objectReader(schema: JsonSchema): Reader {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const { properties } = isEmbedded ? withObjectMeta(schema) : schema;
  if (properties !== undefined && Object.keys(properties).length > 0) return structReader(properties);
  const additional = schemaIn(schema.additionalProperties);
  const read = additional && readerOf(additional);
  return (json) => (isJsonObject(json) ? new TypedMap(json, read) : notObject);
}

const notObject = new CelError('invalid data, expected a map for the provided schema with type=object');

function structReader(properties: { readonly [name: string]: JsonSchema }): Reader {
  const fields = new Map(Object.entries(properties).map(([name, schema]) => [name, lazily(() => readerOf(schema))]));
  const shape = { fields };
  return (json) => (isJsonObject(json) ? new TypedObject(json, shape) : notObject);
}

/** No expression accesses most fields of a definition. */
function lazily(make: () => Reader): Reader {
  let made: Reader | undefined;
  return (json) => (made ??= make())(json);
}

function listReader(schema: JsonSchema): Reader {
  const items = schemaIn(schema.items);
  const read = items && readerOf(items);
  const mode = modeOf(schema);
  return (json) => {
    if (!Array.isArray(json)) {
      return new CelError('invalid data, expected an array for the provided schema with type=array');
    }
    if (read === undefined) return new CelError('invalid array type, expected Items with a non-empty Schema');
    return new TypedList(json, read, mode);
  };
}

function modeOf(schema: JsonSchema): ListMode {
  if (schema['x-kubernetes-list-type'] === 'set') return 'set';
  if (schema['x-kubernetes-list-type'] !== 'map') return 'atomic';
  return { keys: (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeName(key) ?? key) };
}

const formatted: { readonly [format: string]: (text: string) => Value } = {
  duration: readDuration,
  date: readDate,
  'date-time': readDateTime,
  byte: readBytes,
};

function textReader(format = ''): Reader {
  const read = Object.hasOwn(formatted, format) ? formatted[format] : undefined;
  if (read === undefined) return (json) => (typeof json === 'string' ? json : wrong('string', json));
  return (json) => (typeof json === 'string' ? read(json) : wrong('string', json));
}
