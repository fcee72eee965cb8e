import { integerRange } from '../../schema/decode-scalars.ts';
import type { Schema } from '../../schema/schema.ts';
import { FieldTable } from './field-table.ts';

/** How a schema node is decoded. */
export const nodeKinds = {
  object: 0,
  map: 1,
  array: 2,
  string: 3,
  integer: 4,
  number: 5,
  boolean: 6,
  bytes: 7,
  /** Strings with a format; null is absent. */
  formatted: 8,
  intOrString: 9,
  any: 10,
  /** Left to the exact decoder. */
  odd: 11,
} as const;

/** A schema node for the fast decoder, monomorphic to keep access cheap. */
export interface CborNode {
  readonly kind: number;
  readonly schema: Schema;
  /** Range of integers. */
  readonly min: number;
  readonly max: number;
  /** Elements of arrays and maps, fields of objects. Created at first use, as types may be recursive. */
  items: CborNode | undefined;
  fields: FieldTable<CborNode> | undefined;
}

const nodes = new WeakMap<Schema, CborNode>();

export function nodeOf(schema: Schema): CborNode {
  let node = nodes.get(schema);
  if (node === undefined) {
    const { min, max } = integerRange(schema);
    node = {
      kind: kindOf(schema),
      schema,
      min: Math.max(Number(min), Number.MIN_SAFE_INTEGER),
      max: Math.min(Number(max), Number.MAX_SAFE_INTEGER),
      items: undefined,
      fields: undefined,
    };
    nodes.set(schema, node);
  }
  return node;
}

export function itemsOf(node: CborNode): CborNode | undefined {
  const { items } = node.schema;
  if (node.items === undefined && items !== undefined) node.items = nodeOf(items);
  return node.items;
}

const tables = new WeakMap<object, FieldTable<CborNode>>();

/** The fields of an object, shared by all uses of its type. */
export function fieldsOf(node: CborNode): FieldTable<CborNode> | undefined {
  const { structure } = node.schema;
  if (node.fields !== undefined || structure === undefined) return node.fields;
  let table = tables.get(structure);
  if (table === undefined) {
    table = new FieldTable<CborNode>([...structure.fields.values()]);
    tables.set(structure, table);
  }
  node.fields = table;
  return table;
}

const formats: { readonly [format: string]: number } = {
  byte: nodeKinds.bytes,
  'date-time': nodeKinds.formatted,
  'micro-time': nodeKinds.formatted,
  quantity: nodeKinds.formatted,
  'int-or-string': nodeKinds.intOrString,
  'raw-extension': nodeKinds.any,
  json: nodeKinds.any,
  'fields-v1': nodeKinds.any,
  duration: nodeKinds.odd,
  'schema-or-bool': nodeKinds.odd,
  'schema-or-array': nodeKinds.odd,
  'schema-or-strings': nodeKinds.odd,
  float: nodeKinds.odd,
};

function kindOf({ type, format, structure }: Schema): number {
  const special = format === undefined ? undefined : formats[format];
  if (special !== undefined) return special;
  if (type === 'object') return structure === undefined ? nodeKinds.odd : nodeKinds.object;
  return nodeKinds[type];
}
