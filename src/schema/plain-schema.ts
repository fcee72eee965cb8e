import type { Field, Schema } from './schema.ts';

// How the forms of configuration files are written down.

export const text: Schema = { type: 'string', goType: 'string' };
export const flag: Schema = { type: 'boolean', goType: 'bool' };
export const duration: Schema = { type: 'string', format: 'duration', goType: 'v1.Duration' };
export const int32: Schema = { type: 'integer', format: 'int32', goType: 'int32' };
export const int64: Schema = { type: 'integer', format: 'int64', goType: 'int64' };

export function struct(goName: string, fields: readonly Field[], goPackage = 'v1'): Schema {
  const structure = { goName, fields: new Map(fields.map((field) => [field.name, field])) };
  return { type: 'object', goType: `${goPackage}.${goName}`, structure };
}

export function field(name: string, schema: Schema, pointer = false): Field {
  return { name, schema, pointer, required: false, omit: 'empty' };
}

export function list(items: Schema): Schema {
  return { type: 'array', goType: `[]${items.goType}`, items };
}

/** With string keys. */
export function map(items: Schema): Schema {
  return { type: 'map', goType: `map[string]${items.goType}`, items };
}
