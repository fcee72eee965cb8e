import {
  childPath,
  type FieldError,
  type FieldErrors,
  fieldErrorText,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
} from '../../api/errors/field-error.ts';
import { allOf } from '../../api/errors/findings.ts';
import { goRegexpError } from '../../api/go/go-regexp.ts';
import { hasProperties, isPlain, type JsonSchema, propertyOf, schemaIn, schemasIn, someBelow } from './json-schema.ts';

// A schema is structural if it specifies the structure of every value apart from its validation: types, properties and
// items are outside of `allOf`, `anyOf`, `oneOf` and `not`, and whatever is inside these is also specified outside.

const structuralProblems = new WeakMap<JsonSchema, { readonly text: string | undefined }>();

/** Why a schema cannot be interpreted as structural at all, in one sentence; undefined if it can. */
export function structuralProblem(schema: JsonSchema): string | undefined {
  let problem = structuralProblems.get(schema);
  if (problem === undefined) {
    problem = { text: firstProblem(schema) };
    structuralProblems.set(schema, problem);
  }
  return problem.text;
}

function firstProblem(schema: JsonSchema): string | undefined {
  const open = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const problem = ownProblem(part);
    if (problem !== undefined) return problem;
    const below: JsonSchema[] = [];
    someBelow(part, (inner) => {
      if (!isPlain(inner)) below.push(inner);
      return false;
    });
    for (const inner of below.toReversed()) open.push(inner);
  }
  return undefined;
}

const unsupported: readonly (readonly [field: keyof JsonSchema, shown: string])[] = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
];

function ownProblem(schema: JsonSchema): string | undefined {
  for (const [field, shown] of unsupported) {
    const value = schema[field];
    if (value !== undefined && value !== '') return `OpenAPIV3Schema '${shown}' is not supported`;
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  return schemasIn(schema.items).length > 0 ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined;
}

/** FieldErrors of a schema that can be read as structural, in the order of their texts. */
export function* structuralErrors(schema: JsonSchema, path: string): FieldErrors {
  const errors = allOf(unsortedErrors(schema, path));
  const texts = new Map(errors.map((error) => [error, fieldErrorText(error)]));
  const text = (error: FieldError): string => texts.get(error) ?? '';
  yield* errors.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

function* unsortedErrors(schema: JsonSchema, path: string): FieldErrors {
  yield* invariants(schema, 'root', path);
  yield* completeness(schema, schema, { path, at: path });
}

type Level = 'root' | 'item' | 'field';

const missingType: { readonly [level in Level]: string } = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function* invariants(schema: JsonSchema, level: Level, path: string): FieldErrors {
  const { type = '', items, additionalProperties, properties = {} } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const item = schemaIn(items);
  if (type === 'array' && item === undefined) yield requiredField(childPath(path, 'items'), 'must be specified');
  if (item !== undefined) yield* invariants(item, 'item', childPath(path, 'items'));
  for (const name of Object.keys(properties)) {
    const property = properties[name] ?? {};
    if (isPlain(property) && patternProblem(property) === undefined) continue;
    yield* invariants(property, 'field', keyPath(childPath(path, 'properties'), name));
  }
  const mapPath = childPath(path, 'additionalProperties');
  if (additionalProperties !== undefined && level === 'root') {
    yield forbiddenField(mapPath, 'must not be used at the root');
  }
  const values = schemaIn(additionalProperties);
  if (values !== undefined) yield* invariants(values, 'field', mapPath);
  if (schema['x-kubernetes-int-or-string'] === true) yield* intOrString(schema, path);
  if (validatesValues(schema)) {
    const [firstOfAll = {}] = schema.allOf ?? [];
    const exceptions = { skipAnyOf: isIntOrString(schema), skipFirstAllOf: isIntOrString(firstOfAll) };
    yield* valueValidation(schema, path, exceptions);
  }
  yield* typeErrors(schema, level, path);
  if (embedded && additionalProperties !== undefined) {
    yield forbiddenField(mapPath, 'must not be used if x-kubernetes-embedded-resource is set');
  }
  yield* metadataErrors(schema, level, path);
  if (embedded && schema['x-kubernetes-preserve-unknown-fields'] !== true && !hasProperties(schema)) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    yield requiredField(childPath(path, 'properties'), detail);
  }
}

function* typeErrors(schema: JsonSchema, level: Level, path: string): FieldErrors {
  const { type = '' } = schema;
  const typePath = childPath(path, 'type');
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    yield type === '' ? requiredField(typePath, detail) : invalidField(typePath, type, detail);
  } else if (
    type === '' &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  ) {
    yield requiredField(typePath, missingType[level]);
  }
  if (level === 'root' && type !== '' && type !== 'object')
    yield invalidField(typePath, type, 'must be object at the root');
}

/** What objects have of their own may hardly be restricted. */
function* metadataErrors(schema: JsonSchema, level: Level, path: string): FieldErrors {
  const isObject = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const propertiesPath = childPath(path, 'properties');
  for (const name of isObject ? ['kind', 'apiVersion'] : []) {
    const type = propertyOf(schema, name)?.type ?? '';
    if (propertyOf(schema, name) === undefined || type === 'string') continue;
    yield invalidField(childPath(keyPath(propertiesPath, name), 'type'), type, 'must be string');
  }
  const metadata = propertyOf(schema, 'metadata');
  if (metadata === undefined) return;
  const metadataPath = keyPath(propertiesPath, 'metadata');
  const { type = '', properties = {}, default: _default, ...rest } = metadata;
  if (isObject && type !== 'object') yield invalidField(childPath(metadataPath, 'type'), type, 'must be object');
  const namesAlone = Object.keys(properties).every((name) => name === 'name' || name === 'generateName');
  if (level === 'root' && (!namesAlone || Object.values(rest).some((value) => value !== undefined))) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    yield forbiddenField(metadataPath, detail);
  }
}

function* intOrString(schema: JsonSchema, path: string): FieldErrors {
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[name] === true) yield invalidField(childPath(path, name), true, detail);
  }
}

/** `anyOf: [{type: integer}, {type: string}]`, the only types allowed inside. */
function isIntOrString({ anyOf = [] }: JsonSchema): boolean {
  const [first = {}, second = {}] = anyOf;
  const isOnly = (schema: JsonSchema, type: string): boolean =>
    schema.type === type && Object.keys(schema).length === 1;
  return anyOf.length === 2 && isOnly(first, 'integer') && isOnly(second, 'string');
}

/** Whether it contains anything that can be invalid. */
function validatesValues({ allOf, anyOf, oneOf, not, pattern }: JsonSchema): boolean {
  return (allOf ?? anyOf ?? oneOf ?? not ?? pattern) !== undefined;
}

interface Exceptions {
  readonly skipAnyOf: boolean;
  readonly skipFirstAllOf: boolean;
}

const noExceptions: Exceptions = { skipAnyOf: false, skipFirstAllOf: false };

function* valueValidation(schema: JsonSchema, path: string, { skipAnyOf, skipFirstAllOf }: Exceptions): FieldErrors {
  const { allOf = [], anyOf = [], oneOf = [], not, pattern } = schema;
  const part = (name: string, index: number): string => keyPath(childPath(path, name), index);
  for (const [index, inner] of skipAnyOf ? [] : anyOf.entries()) {
    yield* nested(inner, part('anyOf', index), noExceptions);
  }
  for (const [index, inner] of allOf.entries()) {
    yield* nested(inner, part('allOf', index), { skipAnyOf: skipFirstAllOf && index === 0, skipFirstAllOf: false });
  }
  for (const [index, inner] of oneOf.entries()) {
    yield* nested(inner, part('oneOf', index), noExceptions);
  }
  if (not !== undefined) yield* nested(not, childPath(path, 'not'), noExceptions);
  const problem = patternProblem(schema);
  if (problem !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${problem}`;
    yield invalidField(childPath(path, 'pattern'), pattern, detail);
  }
}

function patternProblem({ pattern = '' }: JsonSchema): string | undefined {
  return pattern === '' ? undefined : goRegexpError(pattern);
}

const nestedForbidden: readonly (readonly [name: keyof JsonSchema, state: string])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
];

/** Fields in which an empty text differs from none. */
const pointers: ReadonlySet<string> = new Set(['x-kubernetes-list-type', 'x-kubernetes-map-type']);

/** A schema inside of `allOf` and its like. */
function* nested(schema: JsonSchema, path: string, exceptions: Exceptions): FieldErrors {
  yield* valueValidation(schema, path, exceptions);
  const items = schemaIn(schema.items);
  if (items !== undefined) yield* nested(items, childPath(path, 'items'), noExceptions);
  const propertiesPath = childPath(path, 'properties');
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* nested(property, keyPath(propertiesPath, name), noExceptions);
  }
  for (const [name, state] of nestedForbidden) {
    const value = schema[name];
    // Any non-null default counts.
    const isSet = name === 'default' ? value !== null : value !== false && (value !== '' || pointers.has(name));
    if (value === undefined || !isSet) continue;
    yield forbiddenField(childPath(path, name), `must be ${state} to be structural`);
  }
  if (propertyOf(schema, 'metadata') !== undefined) {
    yield forbiddenField(keyPath(propertiesPath, 'metadata'), 'must not be specified in a nested context');
  }
}

interface Places {
  /** Where the structure is missing. */
  readonly path: string;
  /** Where the value validation is. */
  readonly at: string;
}

/** Fields that nested validations mention are part of the structure outside of them. */
function* completeness(validation: JsonSchema, structure: JsonSchema | undefined, { path, at }: Places): FieldErrors {
  if (structure === undefined) return yield requiredField(path, `because it is defined in ${at}`);
  const parts: (readonly [string, JsonSchema])[] = [];
  if (validation.not !== undefined) parts.push([childPath(at, 'not'), validation.not]);
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, inner] of (validation[name] ?? []).entries()) {
      parts.push([keyPath(childPath(at, name), index), inner]);
    }
  }
  for (const [partAt, inner] of parts) yield* nestedCompleteness(inner, structure, { path, at: partAt });
}

function* nestedCompleteness(
  validation: JsonSchema,
  structure: JsonSchema | undefined,
  { path, at }: Places,
): FieldErrors {
  if (structure === undefined) return yield requiredField(path, `because it is defined in ${at}`);
  yield* completeness(validation, structure, { path, at });
  const items = schemaIn(validation.items);
  if (items !== undefined) {
    const places = { path: childPath(path, 'items'), at: childPath(at, 'items') };
    yield* nestedCompleteness(items, schemaIn(structure.items), places);
  }
  for (const [name, property] of Object.entries(validation.properties ?? {})) {
    const key = `properties[${name}]`;
    const places = { path: childPath(path, key), at: childPath(at, key) };
    yield* nestedCompleteness(property, propertyOf(structure, name), places);
  }
}
