import { goQuote } from '../api/go/go-quote.ts';
import type { Field, Schema, SchemaFormat } from '../schema/schema.ts';
import { unclassified } from './patch-errors.ts';

/** A type, for strategic merge patch. */
export interface PatchType {
  readonly schema: Schema;
  readonly pointer: boolean;
}

/** How a field is patched; `strategy` is empty without a patchStrategy. */
export interface FieldPatch {
  readonly type: PatchType;
  readonly strategy: string;
  /** Empty for lists that are not merged by key. */
  readonly mergeKey: string;
}

/** Patch metadata of the object `key` in `parent`. Throws a StatusError (500) if the type has no such field. */
export function objectField(parent: PatchType, key: string): FieldPatch {
  const kind = kindOf(parent.schema);
  if (kind !== 'struct') {
    throw unclassified(`merging an object in json but data type is not struct, instead is: ${kind}`);
  }
  const field = fieldOf(parent.schema, key);
  if (field === undefined) {
    const name = parent.schema.structure?.goName ?? parent.schema.goType.replace(/^.*\./, '');
    throw unclassified(`unable to find api field in struct ${name} for the json field ${goQuote(key)}`);
  }
  const { schema, pointer } = field;
  const strategy = schema.patchStrategies?.find((each) => each !== 'retainKeys') ?? '';
  return { type: { schema, pointer }, strategy, mergeKey: schema.patchMergeKey ?? '' };
}

/** The type of a list field, and how it is patched; `type` is the type of its items. */
export function listField(parent: PatchType, key: string): FieldPatch {
  const field = objectField(parent, key);
  const { schema, pointer } = field.type;
  if (kindOf(schema) === 'slice' && schema.format !== 'byte' && schema.items !== undefined) {
    if (kindOf(schema.items) === 'slice') throw unclassified('unexpected slice of slice');
    return { ...field, type: { schema: schema.items, pointer: false } };
  }
  if (pointer) return field;
  throw unclassified(`expected slice or array type, but got: ${goKindName(parent)}`);
}

/** The Go kind in errors: `struct`, `ptr`, `map`, `string` ... */
export function goKindName({ schema, pointer }: PatchType): string {
  return pointer ? 'ptr' : kindOf(schema);
}

/** Formats of strings that are structs in Go. */
const structFormats: ReadonlySet<SchemaFormat> = new Set(['date-time', 'micro-time', 'duration', 'quantity']);

/** The kind of the Go type behind a schema. */
export function kindOf({ type, format }: Schema): string {
  switch (type) {
    case 'object':
      return 'struct';
    case 'array':
      return 'slice';
    case 'string':
      if (format === 'byte') return 'slice';
      return format !== undefined && structFormats.has(format) ? 'struct' : 'string';
    case 'integer':
      return format ?? 'int64';
    case 'number':
      return format === 'float' ? 'float32' : 'float64';
    case 'boolean':
      return 'bool';
    case 'map':
      return 'map';
    case 'any':
      return format === undefined ? 'interface' : 'struct';
  }
}

/** Field names match exactly or, as in Go, ignoring case. */
function fieldOf({ structure }: Schema, key: string): Field | undefined {
  const exact = structure?.fields.get(key);
  if (exact !== undefined || structure === undefined) return exact;
  const folded = key.toLowerCase();
  for (const field of structure.fields.values()) if (field.name.toLowerCase() === folded) return field;
  return undefined;
}
