import type { Schema, Structure } from '../../schema/schema.ts';
import type { StructDeclaration } from '../environments/type-registry.ts';
import { type CelType, listType, mapType, structType, types } from '../types/cel-type.ts';
import { escapeName } from '../values/escaped-names.ts';
import { type NamedType, namedType } from './declared-type.ts';
import { declaredTypeOf } from './from-json-schema.ts';

/** The CEL type of a kind's objects, with names for the structs in it that start with `name`. */
export function typeOfKind(schema: Schema, name: string): NamedType {
  const structs: StructDeclaration[] = [];
  return { type: typeOf(schema, { name, structs, above: [] }) ?? types.dyn, structs };
}

interface StructContext {
  readonly name: string;
  readonly structs: StructDeclaration[];
  /** What it is part of. */
  readonly above: readonly Structure[];
}

/** Undefined for what expressions do not see: quantities, free-form values and what contains itself. */
function typeOf(schema: Schema, place: StructContext): CelType | undefined {
  if (schema.definition !== undefined) return typeOfDefinition(schema, place);
  const below = (step: string): CelType | undefined =>
    schema.items === undefined ? undefined : typeOf(schema.items, { ...place, name: `${place.name}.${step}` });
  switch (schema.type) {
    case 'object':
      return typeOfStruct(schema.structure, place);
    case 'map': {
      const value = below('@elem');
      return value === undefined ? undefined : mapType(types.string, value);
    }
    case 'array': {
      const item = below('@idx');
      return item === undefined ? undefined : listType(item);
    }
    case 'string':
      return textTypes.get(schema.format ?? '') ?? (schema.format === 'quantity' ? undefined : types.string);
    case 'integer':
      return types.int;
    case 'number':
      return types.double;
    case 'boolean':
      return types.bool;
    case 'any':
      if (schema.format === 'int-or-string') return types.dyn;
      return objects.has(schema.format ?? '') ? typeOfStruct(undefined, place) : undefined;
  }
}

const textTypes: ReadonlyMap<string, CelType> = new Map([
  ['byte', types.bytes],
  ['date-time', types.timestamp],
  ['micro-time', types.timestamp],
]);

/** Objects without known fields. */
const objects: ReadonlySet<string> = new Set(['raw-extension', 'fields-v1']);

function typeOfStruct(structure: Structure | undefined, { name, structs, above }: StructContext): CelType | undefined {
  if (structure !== undefined && above.includes(structure)) return undefined;
  const fields = new Map<string, CelType>();
  const within = structure === undefined ? above : [...above, structure];
  for (const { name: field, schema } of structure?.fields.values() ?? []) {
    const type = typeOf(schema, { name: `${name}.${field}`, structs, above: within });
    const escaped = escapeName(field);
    if (type !== undefined && escaped !== undefined) fields.set(escaped, type);
  }
  structs.push({ name, fields });
  return structType(name);
}

function typeOfDefinition(
  { definition, embeddedResource }: Schema,
  { name, structs }: StructContext,
): CelType | undefined {
  const declared = definition && declaredTypeOf(definition, embeddedResource === true);
  if (declared === undefined) return undefined;
  const { type, structs: more } = namedType(declared, name);
  structs.push(...more);
  return type;
}
