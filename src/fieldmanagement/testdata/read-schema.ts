import { readFileSync } from 'node:fs';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import {
  deducedType,
  type ListType,
  type MapType,
  type MergeField,
  type MergeType,
  type ScalarType,
} from '../merge-type.ts';

// Reads the schemas of the recorded cases: named types, each a scalar, a list, a map or several of these.

type Named = ReadonlyMap<string, JsonObject>;

const file = new URL('schemas.json', import.meta.url);
// The file maps schema ids to lists of types.
const schemas = JSON.parse(readFileSync(file, 'utf8')) as { readonly [id: string]: JsonObject[] };
const known = new Map<string, MergeType>();

/** The type `name` of the schema `id`. */
export function typeOfCase(id: string, name: string): MergeType {
  const key = `${id} ${name}`;
  let type = known.get(key);
  if (type === undefined) {
    type = typeOfNamed(name, getOwn(schemas, id) ?? []);
    known.set(key, type);
  }
  return type;
}

/** The type `name` of those `types`. */
export function typeOfNamed(name: string, types: readonly JsonObject[]): MergeType {
  return namedType(name, new Map(types.map((each) => [nameOf(each), each])));
}

function namedType(name: string, named: Named): MergeType {
  const definition = named.get(name);
  if (definition === undefined) throw new Error(`no type ${name}`);
  return name === '__untyped_deduced_' ? deducedType : atomType(definition, named, undefined);
}

function atomType(atom: JsonObject, named: Named, relationship: JsonValue | undefined): MergeType {
  const { scalar, list, map } = atom;
  return {
    // Scalar names are the same.
    ...(scalar === undefined ? {} : { scalar: scalar as ScalarType }),
    ...(isJsonObject(list) ? { list: listType(list, named, relationship) } : {}),
    ...(isJsonObject(map) ? { map: mapType(map, named, relationship) } : {}),
  };
}

/** Undefined for an empty reference: nothing is declared there. */
function referredType(reference: JsonValue | undefined, named: Named): MergeType | undefined {
  if (!isJsonObject(reference) || Object.keys(reference).length === 0) return undefined;
  const name = reference['namedType'];
  const relationship = reference['elementRelationship'];
  if (name === undefined) {
    // Only lists and maps have a relationship; a scalar with one is not a type.
    if (relationship !== undefined && reference['scalar'] !== undefined) return {};
    return atomType(reference, named, relationship);
  }
  if (relationship === undefined) return namedType(stringValue(name), named);
  return atomType(named.get(stringValue(name)) ?? {}, named, relationship);
}

function listType(list: JsonObject, named: Named, relationship = list['elementRelationship']): ListType {
  return {
    associative: relationship === 'associative',
    keys: Array.isArray(list['keys']) ? list['keys'].map(String) : [],
    get element() {
      return referredType(list['elementType'], named) ?? {};
    },
  };
}

function mapType(map: JsonObject, named: Named, relationship = map['elementRelationship']): MapType {
  const rows = Array.isArray(map['fields']) ? map['fields'].filter(isJsonObject) : [];
  const fields = new Map(rows.map((row) => [nameOf(row), row]));
  return {
    atomic: relationship === 'atomic',
    get element() {
      return referredType(map['elementType'], named);
    },
    get deduced() {
      const element = map['elementType'];
      if (rows.length > 0 || !isJsonObject(element)) return false;
      return element['namedType'] === '__untyped_deduced_' || element['scalar'] === 'untyped';
    },
    fieldNames: () => fields.keys(),
    fieldOf(name): MergeField | undefined {
      const row = fields.get(name);
      if (row === undefined) return undefined;
      const type = referredType(row['type'], named) ?? {};
      return row['default'] === undefined ? { type } : { type, default: row['default'] };
    },
  };
}

/** The rows of a file of recorded cases, one per line. */
export function casesOf<T>(name: string): readonly T[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  // The files are written with these shapes.
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

function nameOf(row: JsonObject): string {
  return stringValue(row['name']);
}

function stringValue(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error('names of types and fields are texts');
  return value;
}
