import { through } from '../../../api/errors/findings.ts';
import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
} from '../../../api/errors/field-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts';
import { type DeclaredRules, declaredRulesOf } from '../../../schema/kubernetes/declared-rules.ts';
import { parseApiVersion } from '../../../api/meta/group-version.ts';
import { schemaByName, schemaOfKind } from '../../../schema/kubernetes/definitions.ts';
import type { Schema } from '../../../schema/schema.ts';
import { wireForm } from '../../../schema/wire-form.ts';
import { declaredFormats } from './declared-formats.ts';
import { type Errors, immutableMessage } from './rules.ts';
import { sameValue } from './same-value.ts';

/*
 * Rules that types declare with the markers of their fields. They are checked in the order of the reference:
 *
 * 1. of a struct, whether one member of its union is set; then each field, in order
 * 2. of a field, nothing if an update leaves it as it was
 * 3. immutability, the number of items, presence, forbidden changes: one that fails, and absence, end the checks
 * 4. all others, and those of the value's own type; items of a keyed list are compared with the old one of that key
 */

/** A value and what it replaces. */
interface Written {
  readonly value: JsonValue | undefined;
  /** Undefined if there is nothing to compare with; absent values of an old object are `{ value: undefined }`. */
  readonly old: { readonly value: JsonValue | undefined } | undefined;
  readonly isUpdate: boolean;
}

interface OfKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** All errors of an object of a built-in kind. */
export function declaredOfObject(object: OfKind, old?: OfKind): Errors {
  const { apiVersion = '', kind = '' } = object;
  const type = parseApiVersion(apiVersion);
  return errorsOf(type && schemaOfKind({ ...type, kind }), object, old, '');
}

/** All errors of a struct of a type, by the name of its definition. */
export function declaredOfStruct(definition: string, struct: object, old: object | undefined, path: string): Errors {
  return errorsOf(schemaByName(definition), struct, old, path);
}

/** All errors of one field of a struct: of those whose other rules are in code. */
export function declaredOfField<T extends object>(
  { definition, field }: { readonly definition: string; readonly field: keyof T & string },
  struct: T,
  old: T,
  path: string,
): Errors {
  const schema = schemaByName(definition)?.structure?.fields.get(field)?.schema;
  if (schema === undefined || struct[field] === undefined) return [];
  const rules = declaredRulesOf(definition)?.get(field);
  // Decoded objects are JSON.
  const [value, before] = [struct[field], old[field]] as [JsonValue, JsonValue | undefined];
  return fieldErrors({ schema, rules }, { value, old: { value: before }, isUpdate: true }, childPath(path, field));
}

function errorsOf(schema: Schema | undefined, struct: object, old: object | undefined, path: string): Errors {
  if (schema === undefined) return [];
  // Decoded objects are JSON.
  const [value, before] = [struct, old] as [JsonObject, JsonObject | undefined];
  const was = before === undefined ? undefined : { value: before };
  return structErrors(schema, { value, old: was, isUpdate: before !== undefined }, path);
}

function* structErrors(schema: Schema, written: Written, path: string): Errors {
  const rules = schema.name === undefined ? undefined : declaredRulesOf(schema.name);
  if (rules !== undefined) yield* unionErrors(rules, written, path);
  for (const { name, schema: ofField } of schema.structure?.fields.values() ?? []) {
    const field = { schema: ofField, rules: rules?.get(name) };
    const value = memberOf(written.value, name);
    const { old, isUpdate } = written;
    const was = old === undefined ? undefined : { value: memberOf(old.value, name) };
    yield* fieldErrors(field, { value, old: was, isUpdate }, childPath(path, name));
  }
}

function memberOf(parent: JsonValue | undefined, name: string): JsonValue | undefined {
  const member = isJsonObject(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined;
  return member ?? undefined;
}

function* unionErrors(
  rules: ReadonlyMap<string, DeclaredRules>,
  { value, old, isUpdate }: Written,
  path: string,
): Errors {
  const members = [...rules].filter(([, { isUnionMember }]) => isUnionMember);
  if (members.length === 0) return;
  const setIn = (parent: JsonValue | undefined): string[] =>
    members.flatMap(([name, rule]) => (isSet(memberOf(parent, name), rule) ? [name] : []));
  const set = setIn(value);
  if (isUpdate && old !== undefined && setIn(old.value).join() === set.join()) return;
  const all = members.map(([name]) => `\`${name}\``).join(', ');
  if (set.length > 1) yield invalidField(path, `{${set.join(', ')}}`, `must specify exactly one of: ${all}`);
  if (set.length === 0) yield invalidField(path, '', `must specify one of: ${all}`);
}

/** Whether a value is there at all, or is not the zero value of its type. */
function isSet(value: JsonValue | undefined, { isPointer }: Pick<DeclaredRules, 'isPointer'>): boolean {
  if (value === undefined || value === null) return false;
  if (isPointer) return true;
  return Array.isArray(value) ? value.length > 0 : value !== '' && value !== 0 && value !== 0n && value !== false;
}

interface RuledField {
  readonly schema: Schema;
  readonly rules: DeclaredRules | undefined;
}

function* fieldErrors({ schema, rules }: RuledField, written: Written, path: string): Errors {
  const { value, old, isUpdate } = written;
  if (isUpdate && old !== undefined && sameValue(value, old.value)) return;
  if (rules !== undefined) {
    const isDecided = yield* through(decisiveErrors(rules, written, path));
    if (isDecided || (rules.presence !== undefined && !isSet(value, rules))) return;
    yield* scalarErrors({ schema, rules }, written, path);
  }
  if (Array.isArray(value)) yield* itemErrors({ schema, rules }, written, path);
  else if (schema.structure !== undefined && (value !== undefined || rules?.isPointer !== true)) {
    const inner = old?.value === undefined && rules?.isPointer === true ? { ...written, old: undefined } : written;
    if (value !== undefined || declaredRulesOf(schema.name ?? '') !== undefined)
      yield* structErrors(schema, inner, path);
  }
}

/** After one of these nothing else is looked at. */
function* decisiveErrors(rules: DeclaredRules, { value, old, isUpdate }: Written, path: string): Errors {
  const { isImmutable, maxItems, presence, update } = rules;
  if (isImmutable && isUpdate) yield invalidField(path, null, immutableMessage);
  if (maxItems !== undefined && Array.isArray(value) && value.length > maxItems) {
    yield tooManyField(path, value.length, maxItems);
  }
  if (presence === 'required' && !isSet(value, rules)) yield requiredField(path);
  if (!isUpdate) return;
  const [is, was] = [isSet(value, rules), isSet(old?.value, rules)];
  if (update.has('NoSet') && is && !was) yield invalidField(path, null, 'field cannot be set once created');
  if (update.has('NoUnset') && !is && was) yield invalidField(path, null, 'field cannot be cleared once set');
  if (update.has('NoModify') && is && was) yield invalidField(path, null, 'field cannot be modified once set');
  if (update.has('NoAddItem') || update.has('NoRemoveItem'))
    yield* changedItems(rules, listOf(value), listOf(old?.value), path);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function* changedItems(
  { keys, update }: DeclaredRules,
  items: readonly JsonValue[],
  old: readonly JsonValue[],
  path: string,
): Errors {
  const [known, kept] = [byKey(old, keys), byKey(items, keys)];
  for (const [index, item] of items.entries()) {
    if (update.has('NoAddItem') && !known.has(keyOf(item, keys))) {
      yield forbiddenField(keyPath(path, index), 'item may not be added');
    }
  }
  for (const item of old) {
    if (update.has('NoRemoveItem') && !kept.has(keyOf(item, keys)))
      yield forbiddenField(path, 'item may not be removed');
  }
}

function keyOf(item: JsonValue, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => memberOf(item, key) ?? ''));
}

/** The first item of each key. */
function byKey(items: readonly JsonValue[], keys: readonly string[]): ReadonlyMap<string, JsonValue> {
  return new Map(items.toReversed().map((item) => [keyOf(item, keys), item]));
}

function* scalarErrors({ schema, rules }: RuledField, { value, old, isUpdate }: Written, path: string): Errors {
  if (rules === undefined) return;
  const { formats, isEnum, isMonotonic, maximum, maxBytes, maxLength, minimum } = rules;
  if (typeof value === 'string') {
    for (const format of formats) yield* declaredFormats[format]?.(value, path) ?? [];
    if (maxBytes !== undefined && Buffer.byteLength(value) > maxBytes) yield tooLongField(path, maxBytes);
    if (maxLength !== undefined && [...value].length > maxLength) yield tooLongField(path, maxLength, 'character');
    const supported = isEnum ? (schema.enum ?? []).toSorted() : [value];
    if (!supported.includes(value)) yield notSupportedField(path, value, supported);
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') return;
  if (maximum !== undefined && value > maximum) {
    yield invalidField(path, value, `must be less than or equal to ${maximum}`);
  }
  if (minimum !== undefined && value < minimum) {
    yield invalidField(path, value, `must be greater than or equal to ${minimum}`);
  }
  const was = old?.value;
  if (isMonotonic && isUpdate && (typeof was === 'number' || typeof was === 'bigint') && value < was) {
    yield invalidField(path, value, `may not be decreased from ${was}`);
  }
}

function* itemErrors({ schema, rules }: RuledField, { value, old, isUpdate }: Written, path: string): Errors {
  const { items: ofItem } = schema;
  const [items, keys] = [listOf(value), rules?.keys ?? []];
  if (ofItem === undefined) return;
  if (keys.length > 0) yield* repeatedItems(ofItem, items, keys, path);
  const before = keys.length === 0 ? undefined : byKey(listOf(old?.value), keys);
  for (const [index, item] of items.entries()) {
    const was = before?.get(keyOf(item, keys));
    const ofOld = was === undefined ? undefined : { value: was };
    if (isUpdate && ofOld !== undefined && sameValue(item, was)) continue;
    if (isJsonObject(item)) yield* structErrors(ofItem, { value: item, old: ofOld, isUpdate }, keyPath(path, index));
  }
}

function* repeatedItems(schema: Schema, items: readonly JsonValue[], keys: readonly string[], path: string): Errors {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item, keys);
    if (seen.has(key)) yield duplicateField(keyPath(path, index), isJsonObject(item) ? wireForm(schema, item) : item);
    seen.add(key);
  }
}
