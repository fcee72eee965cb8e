import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { Field, Schema, SchemaFormat, SchemaType, Structure, Union } from '../schema.ts';
import { goTypeText, splitTypeName } from './go-type.ts';

/*
 * The definitions table contains the release's Go declarations, package by package:
 *
 *   =core/v1 io.k8s.api.core.v1              a package: key, prefix of its definition names
 *   RestartPolicy enum ["Always","Never"]    a string whose values the OpenAPI document lists
 *   ResourceList named map[ResourceName]resource.Quantity
 *   Volume struct                            with map=atomic, kind=GROUP/VERSION, unions=JSON where they apply
 *    name 1 string n! default=""             name, protobuf number, Go type, omit (n e z), ! required, markers
 *    hostPath 2.1 *HostPathVolumeSource e in=VolumeSource    field 1 of message 2, whose struct is embedded
 *
 * Rows are parsed when a definition is first used; importing the module only locates the packages.
 */

/**
 * One package of the table. Rows are searched in its text: a start needs few rows, and splitting all of them would cost
 * more.
 */
class PackageRows {
  readonly key: string;
  readonly prefix: string;
  readonly table: DefinitionTable;
  /** Each row is preceded by a line feed. */
  readonly #text: string;

  constructor(text: string, table: DefinitionTable) {
    this.table = table;
    const end = text.indexOf('\n');
    [this.key = '', this.prefix = ''] = text.slice(0, end).split(' ');
    this.#text = text.slice(end);
  }

  holds(text: string): boolean {
    return this.#text.includes(text);
  }

  has(name: string): boolean {
    return this.holds(`\n${name} `);
  }

  /** The rows of a type and its fields. */
  rowsOf(name: string): readonly string[] | undefined {
    const start = this.#text.indexOf(`\n${name} `) + 1;
    if (start === 0) return undefined;
    let end = this.#text.indexOf('\n', start);
    while (this.#text[end + 1] === ' ') end = this.#text.indexOf('\n', end + 1);
    return this.#text.slice(start, end === -1 ? undefined : end).split('\n');
  }

  /** The rows of all types, without their fields. */
  typeRows(): string[] {
    return this.#text.split('\n').filter((row) => row !== '' && !row.startsWith(' '));
  }
}

/** By definition name, shared by all uses of a type. */
const structures = new Map<string, Structure>();

/** A table of definitions; its types may refer to those of a base table. */
export class DefinitionTable {
  readonly #below: DefinitionTable | undefined;
  readonly #packages = new Map<string, PackageRows>();
  readonly #byPrefix = new Map<string, PackageRows>();
  readonly #schemas = new Map<string, Schema>();

  constructor(text: string, below?: DefinitionTable) {
    this.#below = below;
    // Parts of the text itself: a copy would be kept by its parts.
    for (const each of text.slice(1).split('\n=')) {
      const rows = new PackageRows(each, this);
      this.#packages.set(rows.key, rows);
      this.#byPrefix.set(rows.prefix, rows);
    }
  }

  /** Schema of a definition by its name in the OpenAPI document: `io.k8s.api.core.v1.PodSpec`. */
  schemaByName(name: string): Schema | undefined {
    const known = this.#schemas.get(name);
    if (known !== undefined) return known;
    const dot = name.lastIndexOf('.');
    const owner = this.#byPrefix.get(name.slice(0, dot));
    const typeName = name.slice(dot + 1);
    if (owner === undefined) return this.#below?.schemaByName(name);
    if (!owner.has(typeName)) return undefined;
    const schema = schemaOf(`${owner.key}.${typeName}`, owner);
    if (schema.name !== name) return undefined;
    this.#schemas.set(name, schema);
    return schema;
  }

  /** Names of the table's own definitions (structs and types with their own wire form), in table order. */
  names(): string[] {
    return [...this.#packages.values()].flatMap((each) =>
      each
        .typeRows()
        .filter((row) => / (struct|special)\b/.test(row))
        .map((row) => `${each.prefix}.${row.slice(0, row.indexOf(' '))}`),
    );
  }

  /** The kind that a definition is the schema of; undefined for other types. */
  kindOf(name: string): GroupVersionKind | undefined {
    const dot = name.lastIndexOf('.');
    const owner = this.#byPrefix.get(name.slice(0, dot));
    const [row = ''] = owner?.rowsOf(name.slice(dot + 1)) ?? [];
    const match = / kind=([^ /]*)\/(\S+)/.exec(row);
    if (match?.[1] === undefined || match[2] === undefined) return undefined;
    return { group: match[1], version: match[2], kind: name.slice(dot + 1) };
  }

  /** Name of a kind's schema definition. */
  nameOfKind({ group, version, kind }: GroupVersionKind): string | undefined {
    const mark = ` kind=${group}/${version}`;
    for (const each of this.#packages.values()) {
      if (!each.holds(mark)) continue;
      const name = `${each.prefix}.${kind}`;
      const found = this.kindOf(name);
      if (found?.group === group && found.version === version) return name;
    }
    return undefined;
  }

  /** Name of a type in the package `key` (`core/v1`). */
  nameOf(key: string, type: string): string {
    const owner = this.packageOf(key);
    if (owner?.has(type) !== true) throw new Error(`no definition ${type} in ${key}`);
    return `${owner.prefix}.${type}`;
  }

  packageOf(key: string): PackageRows | undefined {
    return this.#packages.get(key) ?? this.#below?.packageOf(key);
  }
}

/** The definition that a type expression resolves to, with its row. */
interface TypeRow {
  readonly owner: PackageRows;
  readonly name: string;
  /** `struct`, `enum`, `named`, `alias` or `special`. */
  readonly form: string;
  readonly rest: string;
  readonly fields: readonly string[];
}

/** Lists that clients reset with an empty list, which the declarations do not say. */
const resetLists: ReadonlySet<string> = new Set([
  '[]v1.ManagedFieldsEntry',
  '[]v1.PodResourceClaimStatus',
  '[]v1.NodeAllocatableResourceClaimStatus',
]);

const coreTimes: ReadonlySet<string> = new Set(['eventTime', 'firstTimestamp', 'lastTimestamp']);
const namedTimes: ReadonlySet<string> = new Set(['eventTime', 'deprecatedFirstTimestamp', 'deprecatedLastTimestamp']);
const seriesTimes: ReadonlySet<string> = new Set(['lastObservedTime']);

/** Times whose explicit zero is not absence, by definition: Go compares these as structs, with their time zone. */
const keptZeros: { readonly [definition: string]: ReadonlySet<string> } = {
  'io.k8s.api.core.v1.Event': coreTimes,
  'io.k8s.api.core.v1.EventSeries': seriesTimes,
  'io.k8s.api.events.v1.Event': namedTimes,
  'io.k8s.api.events.v1.EventSeries': seriesTimes,
};

/** Schema of a Go type expression without a leading `*`; unqualified names belong to `owner`. */
function schemaOf(expression: string, owner: PackageRows): Schema {
  const goType = goTypeText(expression, owner.key);
  if (expression === '[]byte') return { type: 'string', format: 'byte', goType };
  if (expression.startsWith('[]')) {
    const items = schemaOf(withoutPointer(expression.slice(2)), owner);
    return { type: 'array', goType, items, ...(resetLists.has(goType) ? { keepsEmpty: true } : {}) };
  }
  if (expression.startsWith('map[')) {
    return {
      type: 'map',
      goType,
      items: schemaOf(withoutPointer(expression.slice(expression.indexOf(']') + 1)), owner),
    };
  }
  const scalar = scalars[expression];
  if (scalar !== undefined) return { ...scalar, goType };
  return namedSchema(typeRow(expression, owner));
}

function namedSchema(row: TypeRow): Schema {
  const goType = goTypeText(row.name, row.owner.key);
  const name = `${row.owner.prefix}.${row.name}`;
  switch (row.form) {
    case 'struct': {
      const mapType = /^map=(atomic|granular)/.exec(row.rest)?.[1];
      return {
        type: 'object',
        name,
        goType,
        ...(mapType === undefined ? {} : { mapType: mapType === 'atomic' ? 'atomic' : 'granular' }),
        get structure() {
          return structureOf(name, row);
        },
      };
    }
    case 'enum':
      // A list of strings, generated by the importer.
      return { type: 'string', goType, enum: JSON.parse(row.rest) as string[] };
    case 'special': {
      const [type = '', format = '', items] = row.rest.split(' ');
      // The importer takes both columns from a fixed list.
      const base = { type: type as SchemaType, format: format as SchemaFormat, name, goType };
      if (items === undefined) return base;
      // Readers keep what they make of a schema by its identity.
      let made: Schema | undefined;
      return {
        ...base,
        get items() {
          return (made ??= schemaOf(items, row.owner));
        },
      };
    }
    default: {
      const [expression = '', wrapped] = row.rest.split(' ');
      const schema = schemaOf(expression, row.owner);
      return { ...schema, goType, ...(wrapped === undefined ? {} : { protobufItems: true }) };
    }
  }
}

function structureOf(name: string, row: TypeRow): Structure {
  const known = structures.get(name);
  if (known !== undefined) return known;
  const fields = new Map<string, Field>();
  for (const each of row.fields) {
    const field = fieldOf(each, row.owner);
    const keepsZero = keptZeros[name]?.has(field.name) === true;
    fields.set(field.name, keepsZero ? { ...field, keepsZero } : field);
  }
  const [, unions] = row.rest.split('unions=');
  const structure: Structure = {
    goName: row.name,
    fields,
    // Generated by the importer from the published document.
    ...(unions === undefined ? {} : { unions: JSON.parse(unions) as Union[] }),
  };
  structures.set(name, structure);
  return structure;
}

function fieldOf(row: string, owner: PackageRows): Field {
  const [, name = '', numbers = '', type = '', written = '', first = ''] = row.split(' ', 6);
  const path = numbers === '-' ? [] : numbers.split('.').map(Number);
  const number = path.pop();
  const embedded = first.startsWith('in=') ? first.slice(3) : undefined;
  return {
    name,
    schema: fieldSchema(withoutPointer(type), row, owner),
    required: written.endsWith('!'),
    pointer: type.startsWith('*'),
    omit: written.startsWith('n') ? 'never' : written.startsWith('z') ? 'zero' : 'empty',
    ...(number === undefined ? {} : { number }),
    ...(path.length === 0 ? {} : { messagePath: path }),
    ...(embedded === undefined ? {} : { embeddedIn: embedded.split('.') }),
  };
}

/** Schema of a field's type with the field's own markers. */
function fieldSchema(type: string, row: string, owner: PackageRows): Schema {
  const schema = schemaOf(type, owner);
  const marks = marksOf(row);
  if (Object.keys(marks).length === 0) return schema;
  const own = Object.getOwnPropertyDescriptors(schema);
  // Copying descriptors keeps lazy members lazy.
  return Object.defineProperties({}, { ...own, ...Object.getOwnPropertyDescriptors(marks) }) as Schema;
}

function marksOf(row: string): Partial<Schema> {
  const marks: { -readonly [Key in keyof Schema]?: Schema[Key] } = {};
  for (const [, mark, value = ''] of row.matchAll(/ (list|map|patch|key|default)=((?<= default=).*|\S+)/g)) {
    // Values of Kubernetes' markers, checked by the importer against the published document.
    if (mark === 'list') {
      const [listType, keys] = value.split(':');
      marks.listType = listType as NonNullable<Schema['listType']>;
      if (keys !== undefined) marks.listMapKeys = keys.split(',');
    } else if (mark === 'map') marks.mapType = value as NonNullable<Schema['mapType']>;
    else if (mark === 'patch') marks.patchStrategies = value.split(',') as NonNullable<Schema['patchStrategies']>;
    else if (mark === 'key') marks.patchMergeKey = value;
    else marks.default = JSON.parse(value);
  }
  return marks;
}

/** Row of a named type, resolving aliases. */
function typeRow(expression: string, from: PackageRows): TypeRow {
  const { packageKey, name } = splitTypeName(expression, from.key);
  const owner = from.table.packageOf(packageKey);
  const rows = owner?.rowsOf(name);
  if (owner === undefined || rows === undefined) throw new Error(`no type ${expression} in the definitions table`);
  const [row = '', ...fields] = rows;
  const [start = '', form = ''] = /^\S+ (\w+) ?/.exec(row) ?? [];
  const rest = row.slice(start.length);
  return form === 'alias' ? typeRow(rest, owner) : { owner, name, form, rest, fields };
}

function withoutPointer(expression: string): string {
  return expression.startsWith('*') ? expression.slice(1) : expression;
}

const scalars: { readonly [goType: string]: Pick<Schema, 'type' | 'format'> } = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int: { type: 'integer', format: 'int32' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  uint8: { type: 'integer', format: 'uint8' },
  uint16: { type: 'integer', format: 'uint16' },
  uint32: { type: 'integer', format: 'uint32' },
  uint64: { type: 'integer', format: 'uint64' },
  float32: { type: 'number', format: 'float' },
  float64: { type: 'number', format: 'double' },
  any: { type: 'any' },
  'interface{}': { type: 'any' },
};
