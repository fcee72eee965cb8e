import { type JsonSchema, schemaIn } from '../../schema/custom/json-schema.ts';
import { types, type CelType } from '../types/cel-type.ts';
import { escapeName } from '../values/escaped-names.ts';
import type { DeclaredType } from './declared-type.ts';
import { withObjectMeta } from './object-meta.ts';

/** Maximum size of a request. */
export const maxRequestBytes = 3 * 1024 * 1024;

/** Length of the shortest JSON in bytes, including quotes. */
const minSizes = { string: 2, duration: 3, date: 12, dateTime: 21, bool: 4, number: 1 } as const;
const maxDurationBytes = 32;
const maxDateTimeBytes = 32;

function scalar(type: CelType, minSerializedSize: number, maxElements = 0): DeclaredType {
  return { kind: 'scalar', scalar: type, minSerializedSize, maxElements };
}

const stringType = scalar(types.string, minSizes.string);
const plainScalars: { readonly [type: string]: DeclaredType } = {
  boolean: scalar(types.bool, minSizes.bool),
  number: scalar(types.double, minSizes.number),
  integer: scalar(types.int, minSizes.number),
};

/** Undefined for schemas without a CEL type. An embedded resource has name and kind, like the root. */
export function declaredTypeOf(schema: JsonSchema, isResource: boolean): DeclaredType | undefined {
  if (!isCollection(schema)) return scalarTypeOf(schema);
  if (schema.type === 'array') return listTypeOf(schema);
  return objectTypeOf(isResource ? withObjectMeta(schema) : schema);
}

function isCollection(schema: JsonSchema): boolean {
  return schema['x-kubernetes-int-or-string'] !== true && (schema.type === 'array' || schema.type === 'object');
}

function scalarTypeOf(schema: JsonSchema): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return scalar(types.dyn, 1, maxLengthOf(schema) ?? maxRequestBytes - 2);
  }
  return schema.type === 'string' ? textTypeOf(schema) : plainScalars[schema.type ?? ''];
}

function ofPart(schema: JsonSchema): DeclaredType | undefined {
  return declaredTypeOf(schema, schema['x-kubernetes-embedded-resource'] === true);
}

function listTypeOf(schema: JsonSchema): DeclaredType | undefined {
  const items = schemaIn(schema.items);
  const element = items && ofPart(items);
  if (element === undefined) return undefined;
  const most = Math.floor((maxRequestBytes - 2) / (element.minSerializedSize + 1));
  return { kind: 'list', element, maxElements: bound(schema.maxItems) ?? most, minSerializedSize: 2 };
}

function objectTypeOf(schema: JsonSchema): DeclaredType | undefined {
  const additional = schemaIn(schema.additionalProperties);
  if (additional === undefined) return structTypeOf(schema);
  const element = ofPart(additional);
  if (element === undefined) return undefined;
  const most = Math.floor((maxRequestBytes - 2) / (element.minSerializedSize + 6));
  const maxElements = bound(schema.maxProperties) ?? most;
  return { kind: 'map', key: stringType, element, maxElements, minSerializedSize: 2 };
}

function structTypeOf({ properties = {}, required = [] }: JsonSchema): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  const isRequired = new Set(required);
  let minSerializedSize = 2;
  for (const name of Object.keys(properties)) {
    const schema = properties[name] ?? {};
    const type = isCollection(schema) ? ofPart(schema) : scalarTypeOf(schema);
    if (type === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, type);
    if (isRequired.has(name) && (schema.default === undefined || schema.default === null)) {
      minSerializedSize += Buffer.byteLength(name) + type.minSerializedSize + 4;
    }
  }
  return { kind: 'object', fields, maxElements: 0, minSerializedSize };
}

function textTypeOf(schema: JsonSchema): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return scalar(types.bytes, minSizes.string, bound(schema.maxLength) ?? maxRequestBytes - 2);
    case 'duration':
      return scalar(types.duration, minSizes.duration, maxDurationBytes);
    case 'date':
      return scalar(types.timestamp, minSizes.date, minSizes.date);
    case 'date-time':
      return scalar(types.timestamp, minSizes.dateTime, maxDateTimeBytes);
    default:
      return scalar(types.string, minSizes.string, maxLengthOf(schema) ?? enumLength(schema) ?? maxRequestBytes - 2);
  }
}

function bound(value: number | bigint | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(0, Number(value));
}

/** A character may take four bytes. */
function maxLengthOf({ maxLength }: JsonSchema): number | undefined {
  const length = bound(maxLength);
  return length === undefined ? undefined : length * 4;
}

/** Length of the longest value. */
function enumLength({ enum: values }: JsonSchema): number | undefined {
  if (values === undefined || values.length === 0) return undefined;
  return Math.max(0, ...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}
