import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { compareBytewise, sortedKeys } from '../api/json/json-text.ts';
import { canonicalZero } from './decode-scalars.ts';
import { emptyTest, isAlwaysWritten, isEmptyArray, isNullWhenEmpty, zeroTextOf } from './omission.ts';
import type { Field, Schema, Structure } from './schema.ts';

/*
 * The wire form of an object is what a client would parse from its JSON: fields in schema order, map keys in byte
 * order, zero values where they are always written, and nothing else that is omitted.
 *
 *   { spec: { containers: [{ image: 'x', name: 'c' }], hostname: '' } }
 *   { metadata: {}, spec: { containers: [{ name: 'c', image: 'x', resources: {} }] }, status: {} }
 *
 * Parts already in wire form are reused, so a write only pays for what it changes.
 */

/** Forms a value of one schema node; `undefined` and `null` yield its zero value. */
type Former = (value: JsonValue | undefined, pass: Pass) => JsonValue;

/** State of one walk through an object. */
interface Pass {
  /** The stored form omits empty lists, although writers own them. */
  readonly isStored: boolean;
  /** Whether JSON.stringify matches the reference, as far as schema and map keys are concerned. */
  isPlain: boolean;
}

interface FormedField {
  readonly name: string;
  /** Position in wire order. */
  readonly index: number;
  readonly isAlways: boolean;
  /** Undefined for scalars, which need no change. */
  readonly form: Former | undefined;
  /** The value written for an absent field. */
  readonly zero: (pass: Pass) => JsonValue;
  /** Whether there is no value: omitted, or written as zero. */
  readonly isAbsent: (value: JsonValue | undefined) => boolean;
}

interface FormedStruct {
  /** In wire order. */
  readonly fields: readonly FormedField[];
  readonly byName: ReadonlyMap<string, FormedField>;
  readonly always: readonly FormedField[];
}

const formers = new WeakMap<Schema, Former>();
const structs = new WeakMap<Structure, FormedStruct>();

/** The object itself if it is in wire form, else a copy that shares the parts that are. */
export function wireForm(schema: Schema, object: Readonly<JsonObject>): JsonObject {
  const value = formerOf(schema)(object, { isStored: false, isPlain: true });
  return isJsonObject(value) ? value : {};
}

/** The wire form of an object in which these fields are in wire form already. */
export function wireFormBut(schema: Schema, object: Readonly<JsonObject>, formed: readonly string[]): JsonObject {
  if (formed.length === 0) return wireForm(schema, object);
  const others: JsonObject = {};
  for (const name in object) if (!formed.includes(name)) others[name] = object[name] as JsonValue; // an own key
  const whole = wireForm(schema, others);
  for (const name of formed) whole[name] = object[name] as JsonValue; // named as a field of the object
  return whole;
}

/** The stored wire form if JSON.stringify can write it; undefined if it needs our encoder. */
export function plainWireForm(schema: Schema, object: JsonValue): JsonValue | undefined {
  const pass = { isStored: true, isPlain: true };
  const value = formerOf(schema)(object, pass);
  return pass.isPlain ? value : undefined;
}

function formerOf(schema: Schema): Former {
  let former = formers.get(schema);
  if (former === undefined) {
    former = compile(schema) ?? asIs;
    formers.set(schema, former);
  }
  return former;
}

/** Undefined for scalars that need no change. */
function compile(schema: Schema): Former | undefined {
  if (schema.definition !== undefined) return formFree;
  switch (schema.type) {
    case 'object':
      return schema.preserveUnknownFields === true ? formFree : formObject(schema);
    case 'map':
      return formMap(schema);
    case 'array':
      return formArray(schema);
    case 'string':
      return schema.format === 'date-time' || schema.format === 'micro-time' ? formTime(schema) : undefined;
    case 'number':
      return formNumber;
    case 'integer':
    case 'boolean':
      return undefined;
    case 'any':
      return formAny(schema);
  }
}

function asIs(value: JsonValue | undefined): JsonValue {
  return value ?? null;
}

/** Kept as decoded, or with sorted keys. */
function formFree(value: JsonValue | undefined, pass: Pass): JsonValue {
  if (typeof value === 'number' || (typeof value === 'object' && value !== null)) pass.isPlain = false;
  return value ?? null;
}

function formNumber(value: JsonValue | undefined, pass: Pass): JsonValue {
  if (Object.is(value, -0)) pass.isPlain = false;
  return value ?? 0;
}

function formTime(schema: Schema): Former {
  const zero = canonicalZero(schema);
  return (value) => (value === undefined || value === zero ? null : value);
}

function formAny(schema: Schema): Former | undefined {
  if (schema.format === 'int-or-string' || schema.format === 'fields-v1') return undefined;
  const { items } = schema;
  if (items === undefined || schema.format?.startsWith('schema-or-') !== true) return formFree;
  let inner: Former | undefined;
  const form: Former = (value, pass) => {
    if (Array.isArray(value)) return value.length === 0 ? null : eachItem(value, form, pass);
    return isJsonObject(value) ? (inner ??= formerOf(items))(value, pass) : (value ?? null);
  };
  return form;
}

function formArray({ items }: Schema): Former {
  if (items === undefined) return formFree;
  let item: Former | undefined;
  return (value, pass) => {
    if (!Array.isArray(value)) return null;
    item ??= formerOf(items);
    return item === asIs ? value : eachItem(value, item, pass);
  };
}

function eachItem(value: JsonValue[], item: Former, pass: Pass): JsonValue[] {
  let formed = value;
  for (let index = 0; index < value.length; index++) {
    const before = value[index];
    const after = item(before, pass);
    if (after === before) continue;
    if (formed === value) formed = value.slice();
    formed[index] = after;
  }
  return formed;
}

function formMap({ items }: Schema): Former {
  if (items === undefined) return formFree;
  let item: Former | undefined;
  return (value, pass) => {
    if (!isJsonObject(value)) return null;
    item ??= formerOf(items);
    if (!isSorted(value)) return sortedMap(value, item, pass);
    return item === asIs ? value : eachValue(value, item, pass);
  };
}

function isSorted(map: Readonly<JsonObject>): boolean {
  let last = '';
  for (const key in map) {
    if (compareBytewise(last, key) > 0) return false;
    last = key;
  }
  return true;
}

function eachValue(value: JsonObject, item: Former, pass: Pass): JsonObject {
  let formed = value;
  for (const key in value) {
    const before = value[key];
    const after = item(before, pass);
    if (after === before) continue;
    if (formed === value) formed = { ...value };
    setOwn(formed, key, after);
  }
  return formed;
}

function sortedMap(value: JsonObject, item: Former, pass: Pass): JsonObject {
  const formed: JsonObject = {};
  for (const key of sortedKeys(value)) setOwn(formed, key, item(value[key], pass));
  // Integer-like keys always come first, in whatever order they are set.
  if (!isSorted(formed)) pass.isPlain = false;
  return formed;
}

function formObject(schema: Schema): Former {
  let struct: FormedStruct | undefined;
  return (value, pass) => {
    if (schema.structure === undefined) return formFree(value, pass);
    struct ??= structOf(schema.structure);
    if (!isJsonObject(value)) return built(struct, {}, pass);
    const order = orderOf(struct, value);
    if (order === 'leaves') return value;
    return order === 'parts' ? formedParts(struct, value, pass) : built(struct, value, pass);
  };
}

/** Whether an object's fields are exactly those written, in order, and whether any has parts. */
type Order = 'none' | 'leaves' | 'parts';

/** Checked before any part is formed: forming parts twice would double the work at each level. */
function orderOf({ fields }: FormedStruct, value: Readonly<JsonObject>): Order {
  let next = 0;
  let hasParts = false;
  for (const key in value) {
    let field = fields[next++];
    while (field !== undefined && field.name !== key) {
      if (field.isAlways) return 'none';
      field = fields[next++];
    }
    if (field === undefined) return 'none';
    const item = value[key];
    if (!hasContent(item) && field.isAbsent(item)) return 'none';
    if (field.form !== undefined) hasParts = true;
  }
  for (; next < fields.length; next++) if (fields[next]?.isAlways === true) return 'none';
  return hasParts ? 'parts' : 'leaves';
}

/** A fast path: most values are scalars that no field omits. */
function hasContent(value: JsonValue | undefined): boolean {
  return typeof value === 'string' ? value !== '' : value === true || (typeof value === 'number' && value !== 0);
}

/** For an object whose fields are in order. */
function formedParts({ fields }: FormedStruct, value: JsonObject, pass: Pass): JsonObject {
  let formed = value;
  let next = 0;
  for (const key in value) {
    while (fields[next]?.name !== key) next++;
    const form = fields[next]?.form;
    const before = value[key];
    // A null zero value is written as it is.
    if (form === undefined || before === null) continue;
    const after = form(before, pass);
    if (after === before) continue;
    if (formed === value) formed = { ...value };
    formed[key] = after;
  }
  return formed;
}

function built({ byName, always }: FormedStruct, value: Readonly<JsonObject>, pass: Pass): JsonObject {
  const fields: FormedField[] = [];
  for (const key in value) {
    const field = byName.get(key);
    if (field !== undefined && !field.isAlways && !field.isAbsent(value[key])) insert(fields, field);
  }
  for (const field of always) insert(fields, field);
  const formed: JsonObject = {};
  for (const { name, form, zero, isAbsent } of fields) {
    const before = value[name];
    if (isAbsent(before)) formed[name] = zero(pass);
    else formed[name] = form === undefined || before === null ? (before as JsonValue) : form(before, pass); // not absent
  }
  return formed;
}

/** Insertion sort: fields are few and nearly in order. */
function insert(fields: FormedField[], field: FormedField): void {
  let place = fields.length;
  for (; place > 0; place--) {
    const before = fields[place - 1] as FormedField; // within bounds
    if (before.index < field.index) break;
    fields[place] = before;
  }
  fields[place] = field;
}

function structOf(structure: Structure): FormedStruct {
  let struct = structs.get(structure);
  if (struct === undefined) {
    const fields: FormedField[] = [];
    for (const field of structure.fields.values()) {
      const formed = formField(field, fields.length);
      fields.push(formed);
    }
    struct = {
      fields,
      byName: new Map(fields.map((field) => [field.name, field])),
      always: fields.filter(({ isAlways }) => isAlways),
    };
    structs.set(structure, struct);
  }
  return struct;
}

function formField(field: Field, index: number): FormedField {
  const { name, schema, pointer } = field;
  const isAlways = isAlwaysWritten(field);
  const former = isNullWhenEmpty(field) ? emptyAsNull(formerOf(schema)) : formerOf(schema);
  const form = former === asIs ? undefined : former;
  const zero = pointer ? nullZero : zeroOf(schema);
  const isNullable = pointer || (isAlways && zero === nullZero);
  const isAbsent = isAlways ? (isNullable ? isUndefined : isMissing) : pointer ? isMissing : emptyTest(schema);
  return { index, name, isAlways, form, zero, isAbsent };
}

function emptyAsNull(form: Former): Former {
  return (value, pass) => (pass.isStored && isEmptyArray(value) ? null : form(value, pass));
}

function isUndefined(value: JsonValue | undefined): boolean {
  return value === undefined;
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function nullZero(): null {
  return null;
}

/** JSON zero values of plain scalars; types with their own wire form have others. */
const zeroTexts: { readonly [type: string]: string } = { string: '""', integer: '0', number: '0', boolean: 'false' };

function zeroOf(schema: Schema): (pass: Pass) => JsonValue {
  if (schema.type === 'object') return (pass) => formerOf(schema)(undefined, pass);
  const zero = JSON.parse(zeroTextOf(schema, zeroTexts[schema.type] ?? 'null')) as JsonValue; // a scalar
  return zero === null ? nullZero : () => zero;
}
