import type { JsonValue } from '../api/json/json.ts';
import type { Schema } from '../schema/schema.ts';
import {
  atomicType,
  deducedType,
  type ListType,
  type MapType,
  type MergeField,
  type MergeType,
  type ScalarType,
} from './merge-type.ts';

const compiled = new WeakMap<Schema, MergeType>();
/** Types within objects that preserve unknown fields: nested objects preserve theirs too, except for metadata. */
const compiledPreserving = new WeakMap<Schema, MergeType>();

/** The merge type of a schema; without one, types are deduced from values. */
export function mergeTypeOf(schema: Schema | undefined): MergeType {
  return schema === undefined ? deducedType : typeOf(schema, false);
}

function typeOf(schema: Schema, within: boolean): MergeType {
  const preserving = within && schema.definition !== undefined;
  const known = preserving ? compiledPreserving : compiled;
  let type = known.get(schema);
  if (type === undefined) {
    type = compile(schema, preserving || (schema.type === 'object' && schema.preserveUnknownFields === true));
    known.set(schema, type);
  }
  return type;
}

function compile(schema: Schema, preserving: boolean): MergeType {
  switch (schema.type) {
    case 'object':
      return { map: structType(schema, preserving) };
    case 'map':
      return { map: plainMapType(schema, preserving) };
    case 'array':
      return { list: listType(schema, preserving) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: stringType(schema) };
    case 'any':
      return anyType(schema);
  }
}

/** Strings with a format may be written as other types (quantities as numbers). */
function stringType({ format }: Schema): ScalarType {
  return format === undefined || format === 'byte' || format === 'duration' ? 'string' : 'untyped';
}

function anyType(schema: Schema): MergeType {
  if (schema.format === 'raw-extension') return atomicType;
  const map: MapType = {
    atomic: schema.mapType === 'atomic',
    element: deducedType,
    deduced: true,
    fieldOf: noField,
    fieldNames: noNames,
  };
  if (schema.format === 'fields-v1') return { map };
  return { scalar: 'untyped', list: { element: atomicType, associative: false, keys: [] }, map };
}

function noField(): undefined {
  return undefined;
}

function noNames(): readonly string[] {
  return [];
}

function structType(schema: Schema, preserving: boolean): MapType {
  const fields = new Map<string, MergeField>();
  // Lazily: a recursive type would never end.
  const fieldOf = (name: string): MergeField | undefined => {
    const known = fields.get(name);
    if (known !== undefined) return known;
    const field = schema.structure?.fields.get(name);
    if (field === undefined) return undefined;
    const { default: value } = field.schema;
    // Defaults in schemas are JSON.
    const made = {
      type: typeOf(field.schema, preserving),
      ...(value === undefined ? {} : { default: value as JsonValue }),
    };
    fields.set(name, made);
    return made;
  };
  const isEmpty = (schema.structure?.fields.size ?? 0) === 0;
  return {
    atomic: schema.mapType === 'atomic',
    element: preserving || isEmpty ? deducedType : undefined,
    deduced: isEmpty,
    fieldOf,
    fieldNames: () => schema.structure?.fields.keys() ?? [],
  };
}

function plainMapType({ items, mapType }: Schema, preserving: boolean): MapType {
  const element = items === undefined ? deducedType : typeOf(items, preserving);
  const deduced = element === deducedType || (items?.name === undefined && element.scalar === 'untyped');
  return { atomic: mapType === 'atomic', element, deduced, fieldOf: noField, fieldNames: noNames };
}

function listType(schema: Schema, preserving: boolean): ListType {
  const { items, listType: kind, listMapKeys } = schema;
  const merges = kind === undefined && schema.patchStrategies?.includes('merge') === true;
  const mergeKey = merges && schema.patchMergeKey !== undefined ? [schema.patchMergeKey] : [];
  let element: MergeType | undefined;
  return {
    associative: merges || kind === 'set' || kind === 'map',
    keys: kind === 'map' ? (listMapKeys ?? []) : mergeKey,
    get element() {
      element ??= items === undefined ? atomicType : typeOf(items, preserving);
      return element;
    },
  };
}
