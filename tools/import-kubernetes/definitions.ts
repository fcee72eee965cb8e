// Turns the Go declarations into the rows of the definitions table (its grammar:
// src/schema/kubernetes/definition-table.ts).
import type { GoConstant, GoField, GoType } from './go-source.ts';
import type { PublishedDefinition } from './openapi-source.ts';
import type { SourcePackage } from './packages.ts';
import { readProto, type ProtoMessages } from './proto-source.ts';

/** Named types with their own wire form: type, format, element. */
const specialTypes: { readonly [key: string]: string } = {
  'meta/v1.Time': 'string date-time',
  'meta/v1.MicroTime': 'string micro-time',
  'meta/v1.Duration': 'string duration',
  'meta/v1.FieldsV1': 'any fields-v1',
  'resource.Quantity': 'string quantity',
  'intstr.IntOrString': 'any int-or-string',
  'runtime.RawExtension': 'any raw-extension',
  'apiextensions/v1.JSON': 'any json',
  'apiextensions/v1.JSONSchemaPropsOrBool': 'any schema-or-bool JSONSchemaProps',
  'apiextensions/v1.JSONSchemaPropsOrArray': 'any schema-or-array JSONSchemaProps',
  'apiextensions/v1.JSONSchemaPropsOrStringArray': 'any schema-or-strings JSONSchemaProps',
  'apiextensions/v1beta1.JSON': 'any json',
  'apiextensions/v1beta1.JSONSchemaPropsOrBool': 'any schema-or-bool JSONSchemaProps',
  'apiextensions/v1beta1.JSONSchemaPropsOrArray': 'any schema-or-array JSONSchemaProps',
  'apiextensions/v1beta1.JSONSchemaPropsOrStringArray': 'any schema-or-strings JSONSchemaProps',
};

type GoStruct = Extract<GoType, { readonly form: 'struct' }>;

interface Declaration {
  readonly owner: SourcePackage;
  readonly name: string;
  readonly type: GoType;
}

/** An embedded struct. */
interface Embedding {
  readonly package: SourcePackage;
  readonly message: string;
  /** Protobuf field numbers on the path to it; undefined if it has no protobuf form. */
  readonly path: readonly number[] | undefined;
  /** Go names of the embedded fields on the path to it. */
  readonly names: readonly string[];
}

export class DefinitionWriter {
  readonly #packages: ReadonlyMap<string, SourcePackage>;
  readonly #protos: ReadonlyMap<string, ProtoMessages>;
  readonly #published: ReadonlyMap<string, PublishedDefinition>;

  /** `published`: by definition name. */
  constructor(packages: ReadonlyMap<string, SourcePackage>, published: ReadonlyMap<string, PublishedDefinition>) {
    this.#packages = packages;
    this.#protos = new Map([...packages.values()].map((each) => [each.key, readProto(each.dir)]));
    this.#published = published;
  }

  /** The table of these packages; default all. */
  text(packages: Iterable<SourcePackage> = this.#packages.values()): string {
    return [...packages].map((each) => this.#packageRows(each)).join('');
  }

  #packageRows(source: SourcePackage): string {
    const names = [...source.types.keys()].sort();
    const rows = names.flatMap((name) => this.#typeRows(source, name, typeOf(source, name)));
    return rows.length === 0 ? '' : `=${source.key} ${source.prefix}\n${rows.join('\n')}\n`;
  }

  #typeRows(source: SourcePackage, name: string, type: GoType): string[] {
    const special = specialTypes[`${source.key}.${name}`];
    if (special !== undefined) return [`${name} special ${special}`];
    if (type.form === 'alias') return [`${name} alias ${shorten(type.expression, source)}`];
    if (type.form === 'named') {
      const underlying = this.#declaration(type.expression)?.type;
      return underlying?.form === 'struct'
        ? this.#structRows(source, name, { ...underlying, markers: type.markers })
        : this.#namedRows(source, name, type);
    }
    return this.#isWireStruct(source, name, type) ? this.#structRows(source, name, type) : [];
  }

  /** False for helper types that are never serialized: some field has no tag. */
  #isWireStruct(source: SourcePackage, name: string, type: GoStruct): boolean {
    if (this.#published.has(`${source.prefix}.${name}`)) return true;
    return (
      source.key.includes('/') && /^[A-Z]/.test(name) && type.fields.every((field) => field.tags.json !== undefined)
    );
  }

  #structRows(source: SourcePackage, name: string, type: GoStruct): string[] {
    const message = this.#protos.get(source.key)?.get(name);
    const fields = this.#fieldRows(
      type.fields,
      { package: source, message: name, path: message === undefined ? undefined : [], names: [] },
      source,
    );
    if (message !== undefined) checkMessage(`${source.key}.${name}`, message, fields);
    const duplicate = fields
      .map((row) => row.slice(1, row.indexOf(' ', 1)))
      .find((field, index, all) => all.indexOf(field) !== index);
    if (duplicate !== undefined) throw new Error(`${source.key}.${name}: two fields are called ${duplicate}`);
    return [`${name} struct${this.#structMarks(source, name, type)}`, ...fields];
  }

  #structMarks(source: SourcePackage, name: string, type: GoStruct): string {
    const mapType = markerValue(type.markers, 'structType');
    const { kindOf, unions } = this.#published.get(`${source.prefix}.${name}`) ?? {};
    return [
      mapType === undefined ? '' : ` map=${mapType}`,
      kindOf === undefined ? '' : ` kind=${kindOf}`,
      unions === undefined ? '' : ` unions=${JSON.stringify(unions)}`,
    ].join('');
  }

  #namedRows(source: SourcePackage, name: string, type: Extract<GoType, { form: 'named' }>): string[] {
    const expression = shorten(type.expression, source);
    if (expression.startsWith('func')) return [];
    const wrapped = expression.startsWith('[]') && this.#protos.get(source.key)?.has(name) === true ? ' wrapped' : '';
    if (expression !== 'string' || !type.markers.includes('enum')) return [`${name} named ${expression}${wrapped}`];
    const values = [...this.#packages.values()].flatMap((each) =>
      each.constants
        .filter(({ type: of }) => this.#isOfType(of, source, name))
        .map((constant) => this.#valueOf(constant)),
    );
    return [`${name} enum ${JSON.stringify([...new Set(values)].sort())}`];
  }

  /** The declaration of a type name, resolving aliases; undefined for built-in and composite types. */
  #declaration(expression: string): Declaration | undefined {
    const dot = expression.lastIndexOf('.');
    const owner = this.#packages.get(expression.slice(0, dot));
    const name = expression.slice(dot + 1);
    const type = owner?.types.get(name);
    if (owner === undefined || type === undefined) return undefined;
    return type.form === 'alias' ? this.#declaration(type.expression) : { owner, name, type };
  }

  #valueOf({ name, value, reference = '' }: GoConstant): string {
    if (value !== undefined) return value;
    const dot = reference.lastIndexOf('.');
    const target = this.#packages
      .get(reference.slice(0, dot))
      ?.constants.find((each) => each.name === reference.slice(dot + 1));
    if (target === undefined) throw new Error(`constant ${name} is ${reference}, which is unknown`);
    return this.#valueOf(target);
  }

  #isOfType(expression: string, source: SourcePackage, name: string): boolean {
    const declaration = this.#declaration(expression);
    return declaration?.owner === source && declaration.name === name;
  }

  #fieldRows(fields: readonly GoField[], inside: Embedding, source: SourcePackage): string[] {
    return fields.flatMap((field) => {
      const [jsonName = '', ...options] = (field.tags.json ?? '').split(',');
      if (jsonName === '-') return [];
      if (jsonName === '' && field.name === '') return this.#embeddedRows(field, inside, source);
      return [this.#fieldRow(field, jsonName, options, inside, source)];
    });
  }

  #embeddedRows(field: GoField, inside: Embedding, source: SourcePackage): string[] {
    const declaration = this.#declaration(field.expression.replace(/^\*/, ''));
    if (declaration?.type.form !== 'struct')
      throw new Error(`${inside.message} embeds ${field.expression}, which is no struct`);
    const { owner, name, type } = declaration;
    const number = this.#number(field, name, inside);
    const path = number === undefined ? undefined : [...(inside.path ?? []), number];
    const names = [...inside.names, field.expression.slice(field.expression.lastIndexOf('.') + 1)];
    return this.#fieldRows(type.fields, { package: owner, message: name, path, names }, source);
  }

  #fieldRow(
    field: GoField,
    name: string,
    options: readonly string[],
    inside: Embedding,
    source: SourcePackage,
  ): string {
    const number = this.#number(field, field.name === '' ? name : field.name, inside);
    const omit = options.includes('omitzero') ? 'z' : options.includes('omitempty') ? 'e' : 'n';
    const numbers = number === undefined ? '-' : [...(inside.path ?? []), number].join('.');
    const required = isRequired(field, options) ? '!' : '';
    const embedded = inside.names.length === 0 ? '' : ` in=${inside.names.join('.')}`;
    return ` ${name} ${numbers} ${shorten(field.expression, source)} ${omit}${required}${embedded}${this.#marks(field, options, source)}`;
  }

  #marks(field: GoField, options: readonly string[], source: SourcePackage): string {
    const listType = markerValue(field.markers, 'listType');
    const keys = field.markers
      .filter((marker) => marker.startsWith('listMapKey='))
      .map((marker) => marker.slice('listMapKey='.length));
    const mapType = markerValue(field.markers, 'mapType') ?? markerValue(field.markers, 'structType');
    const { patchStrategy, patchMergeKey } = field.tags;
    const value = this.#defaultOf(field, options, source);
    return [
      listType === undefined ? '' : ` list=${listType}${keys.length === 0 ? '' : `:${keys.join(',')}`}`,
      mapType === undefined ? '' : ` map=${mapType}`,
      patchStrategy === undefined ? '' : ` patch=${patchStrategy}`,
      patchMergeKey === undefined ? '' : ` key=${patchMergeKey}`,
      value === undefined ? '' : ` default=${JSON.stringify(value)}`,
    ].join('');
  }

  /** The default published in OpenAPI: the marker's, else the zero value of fields that are always written. */
  #defaultOf(field: GoField, options: readonly string[], source: SourcePackage): unknown {
    const marker = markerValue(field.markers, 'default');
    const reference = marker === undefined ? null : /^ref\((\w+)\)$/.exec(marker);
    if (reference !== null) {
      const constant = source.constants.find(({ name }) => name === reference[1]);
      return constant === undefined ? undefined : this.#valueOf(constant);
    }
    if (marker !== undefined) return JSON.parse(marker);
    return this.#zeroDefault(field.expression, options.includes('omitempty'));
  }

  #zeroDefault(expression: string, omitEmpty: boolean): unknown {
    if (
      expression.startsWith('*') ||
      expression.startsWith('[') ||
      expression.startsWith('map[') ||
      expression.includes('{')
    )
      return undefined;
    const declaration = this.#declaration(expression);
    if (declaration === undefined) return omitEmpty ? undefined : zeroOfBuiltin(expression);
    const { owner, name, type } = declaration;
    // Special types decode null themselves, so their zero value is not a default.
    if (specialTypes[`${owner.key}.${name}`] !== undefined) return undefined;
    return type.form === 'struct'
      ? {}
      : type.form === 'named'
        ? this.#zeroDefault(type.expression, omitEmpty)
        : undefined;
  }

  /** Protobuf number of a field, checked against the message in generated.proto. */
  #number(field: GoField, goName: string, inside: Embedding): number | undefined {
    const tag = field.tags.protobuf;
    if (tag === undefined || tag === '-' || inside.path === undefined) return undefined;
    const parts = tag.split(',');
    const number = Number(parts[1]);
    const name =
      parts.find((part) => part.startsWith('name='))?.slice('name='.length) ??
      goName[0]?.toLowerCase() + goName.slice(1);
    const expected = this.#protos.get(inside.package.key)?.get(inside.message)?.get(name);
    if (expected !== number) {
      throw new Error(
        `${inside.package.key}.${inside.message}.${name}: tag says ${number}, generated.proto ${expected}`,
      );
    }
    return number;
  }
}

function typeOf(source: SourcePackage, name: string): GoType {
  const type = source.types.get(name);
  if (type === undefined) throw new Error(`no type ${source.key}.${name}`);
  return type;
}

/** Checks that every field of a message in generated.proto has a row. */
function checkMessage(name: string, message: ReadonlyMap<string, number>, rows: readonly string[]): void {
  const numbers = new Set(rows.map((row) => row.split(' ', 3)[2]?.split('.')[0]));
  const missing = [...message].find(([, number]) => !numbers.has(String(number)));
  if (missing !== undefined) throw new Error(`${name}: no row has field ${missing[1]} (${missing[0]}) of its message`);
}

function isRequired(field: GoField, options: readonly string[]): boolean {
  if (field.markers.some((marker) => /^required\b/.test(marker))) return true;
  if (field.markers.some((marker) => /^optional\b/.test(marker))) return false;
  return !options.includes('omitempty');
}

function markerValue(markers: readonly string[], name: string): string | undefined {
  return markers.find((marker) => marker.startsWith(`${name}=`))?.slice(name.length + 1);
}

function zeroOfBuiltin(type: string): unknown {
  if (type === 'string') return '';
  if (type === 'bool') return false;
  return /^(u?int|float)/.test(type) ? 0 : undefined;
}

/** Drops the package from names in the same package. */
function shorten(expression: string, source: SourcePackage): string {
  return expression.replaceAll(/(?:[\w./-]+\/)?[\w-]+\.(\w+)/g, (whole, name: string) =>
    whole === `${source.key}.${name}` ? name : whole,
  );
}
