import { hugeKeys, isHuge, noteHuge } from '../api/huge-objects.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { type JsonSource, listedKeys, plainSource } from '../api/json-tree.ts';
import type { Work } from '../api/turns.ts';
import { type Decoded, decodeExactly, readExactly } from './decode-exact.ts';
import { type FreeParts, freeValue } from './custom/free-value.ts';
import { canonicalText, integerRange, isTextError } from './decode-scalars.ts';
import { DecodeError } from './decode-errors.ts';
import { keptValue, noteEmptyMember, zeroElement } from './decode-zero.ts';
import type { Field, Schema, Structure } from './schema.ts';

/*
 * Decodes parsed JSON into the in-memory form of objects:
 *
 * - absent means Go's zero value: null, empty lists and maps, and zero values of non-pointer fields are dropped;
 *   pointers keep an explicit zero, and so do list items and map values;
 * - quantities, times, durations and base64 are canonicalized;
 * - unknown fields are dropped.
 *
 * There are two decoders. The compiled one here walks plain data and gives up at the first irregularity;
 * `decode-exact.ts` then walks the source tree with Go's semantics of duplicates, and produces the errors.
 */

/** Decodes a parsed document. Throws DecodeError. Does not modify the source; the result shares parts of it. */
export function decodeObject(schema: Schema, source: JsonSource): Decoded {
  return decodeCleanly(schema, source) ?? decodeExactly(schema, source.tree());
}

/** The same, with pauses in large documents. */
export function* readTyped(schema: Schema, source: JsonSource): Work<Decoded> {
  const decoded = yield* readCleanly(schema, source);
  if (decoded !== undefined) return decoded;
  yield;
  return yield* readExactly(schema, source.readTree === undefined ? source.tree() : source.readTree());
}

/**
 * Undefined if the exact decoder is needed: something in the source is unknown, duplicate or invalid, or keeps its
 * text.
 */
export function decodeCleanly(schema: Schema, source: JsonSource): Decoded | undefined {
  if (!source.faithful) return undefined;
  const object = unlessGivenUp(() => decoderOf(schema)(source.value, undefined) ?? null);
  return object === undefined ? undefined : { object: isJsonObject(object) ? object : {}, strictErrors: [] };
}

/** The same; large lists and maps are decoded last, with pauses. */
export function* readCleanly(schema: Schema, source: JsonSource): Work<Decoded | undefined> {
  if (!source.faithful) return undefined;
  const later: Later[] = [];
  const object = unlessGivenUp(() => decoderOf(schema)(source.value, later) ?? null);
  if (object === undefined) return undefined;
  for (const values of later) {
    yield;
    const count = values.count(source);
    const { decode } = values;
    for (let start = 0; start < count; start += valuesPerPause) {
      yield;
      if (unlessGivenUp(() => decode(start, Math.min(start + valuesPerPause, count), later)) === undefined)
        return undefined;
    }
  }
  return { object: isJsonObject(object) ? object : {}, strictErrors: [] };
}

/** The result of `decode`; undefined if it gave up. */
function unlessGivenUp<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof GiveUp)) throw error;
    return undefined;
  }
}

/** Decodes plain data, such as the result of a patch. Throws DecodeError. */
export function decodePlain(schema: Schema, value: JsonValue): Decoded {
  return decodeObject(schema, plainSource(value));
}

/** The same, with pauses in large documents. */
export function readTypedValue(schema: Schema, value: JsonValue): Work<Decoded> {
  return readTyped(schema, plainSource(value));
}

/**
 * Plain data of a custom kind with its nulls where the schema knows none: what an apply has merged is not read again in
 * the reference, so validation sees them. Undefined for what the exact decoder has to look at.
 */
export function decodeWithNulls(schema: Schema, value: JsonValue): JsonValue | undefined {
  const parts: FreeParts = {
    known: (part, inner) =>
      part.definition === undefined ? decoderOf(part)(inner, undefined) : freeValue(part, inner, parts),
    unknown: () => undefined,
    keepsNulls: true,
  };
  return unlessGivenUp(() => freeValue(schema, value, parts));
}

/** A value within an object, without fields that are unknown to its schema; undefined if it has another type. */
export function decodedPart(schema: Schema, value: JsonValue): JsonValue | undefined {
  const decoded = unlessGivenUp(() => decoderOf(schema)(value, undefined) ?? null);
  if (decoded !== undefined || !isJsonObject(value)) return decoded ?? undefined;
  try {
    return decodeExactly(schema, plainSource(value).tree()).object;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** Something that the fast decoder leaves to the exact one. */
class GiveUp extends Error {}
const giveUp = new GiveUp('not as the schema says');

/** The values of a large list or map, decoded after the rest, from `start` to `end` at a time. */
interface Later {
  readonly count: (source: JsonSource) => number;
  /** After `count`. */
  readonly decode: (start: number, end: number, later: Later[]) => true;
}

const valuesPerPause = 500;

/**
 * Returns the in-memory value; undefined for a zero value, which only list items and map values keep. A caller that
 * passes `later` must process its entries.
 */
type Decoder = (value: JsonValue, later: Later[] | undefined) => JsonValue | undefined;

const decoders = new WeakMap<Schema, Decoder>();
const fieldDecoders = new WeakMap<Structure, ReadonlyMap<string, Decoder>>();

function decoderOf(schema: Schema): Decoder {
  let decoder = decoders.get(schema);
  if (decoder === undefined) {
    decoder = compile(schema);
    decoders.set(schema, decoder);
  }
  return decoder;
}

function compile(schema: Schema): Decoder {
  if (schema.definition !== undefined) return compileFree(schema);
  switch (schema.type) {
    case 'object':
      return schema.structure === undefined ? keepAny : compileObject(schema);
    case 'map':
      return compileMap(schema);
    case 'array':
      return compileArray(schema);
    case 'string':
      return compileString(schema);
    case 'integer':
      return compileInteger(schema);
    case 'number':
      return (value) => (typeof value === 'number' && Number.isFinite(value) ? value : orNull(value));
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : orNull(value));
    case 'any':
      return compileAny(schema);
  }
}

/** Values of custom resources. */
function compileFree(schema: Schema): Decoder {
  return (value, later) => freeValue(schema, value, later === undefined ? freeAtOnce : freeParts(later));
}

function freeParts(later: Later[] | undefined): FreeParts {
  return {
    known: (schema, value) => decoderOf(schema)(value, later),
    unknown() {
      throw giveUp;
    },
  };
}

const freeAtOnce = freeParts(undefined);

function orNull(value: JsonValue): undefined {
  if (value !== null) throw giveUp;
  return undefined;
}

function keepAny(value: JsonValue): JsonValue | undefined {
  return value ?? undefined;
}

/** RawExtension objects keep their text, which plain data does not have. */
function keepScalar(value: JsonValue): JsonValue | undefined {
  if (isJsonObject(value)) throw giveUp;
  return value ?? undefined;
}

function compileAny(schema: Schema): Decoder {
  switch (schema.format) {
    case 'int-or-string':
      return (value) => {
        if (typeof value === 'string') return value;
        return typeof value === 'number' && value === (value | 0) ? value | 0 : orNull(value);
      };
    case 'schema-or-bool':
      return compileUnion(schema, (value) => (typeof value === 'boolean' ? value : orNull(value)));
    case 'schema-or-array':
    case 'schema-or-strings':
      return compileUnion(schema, orNull);
    case 'raw-extension':
      return keepScalar;
    default:
      return keepAny;
  }
}

/** Errors inside a union need the exact decoder, and so do arrays, which are rare. */
function compileUnion(schema: Schema, other: Decoder): Decoder {
  let inner: Decoder | undefined;
  return (value, later) => {
    if (!isJsonObject(value) || schema.items === undefined) return other(value, later);
    inner ??= decoderOf(schema.items);
    return inner(value, later) ?? {};
  };
}

function compileString(schema: Schema): Decoder {
  const canonical = canonicalText[schema.format ?? ''];
  if (canonical === undefined) return (value) => (typeof value === 'string' ? value : orNull(value));
  return (value) => {
    if (typeof value !== 'string') return orNull(value);
    try {
      return canonical(value);
    } catch (error) {
      if (!isTextError(error)) throw error;
      throw giveUp;
    }
  };
}

function compileInteger(schema: Schema): Decoder {
  const { min, max } = integerRange(schema);
  const low = Number(min);
  const high = Number(max);
  return (value) => {
    // `+ 0` normalizes negative zero.
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= low && value <= high) return value + 0;
    return typeof value === 'bigint' && value >= min && value <= max ? value : orNull(value);
  };
}

function compileArray(schema: Schema): Decoder {
  const { items } = schema;
  if (items === undefined) return keepAny;
  let decode: Decoder | undefined;
  return (value, later) => {
    if (!Array.isArray(value)) return orNull(value);
    decode ??= decoderOf(items);
    if (later !== undefined && value.length > valuesPerPause) return listLater(items, value, later);
    let out: JsonValue[] = value;
    for (let i = 0; i < value.length; i++) {
      const before = value[i] as JsonValue; // within bounds
      const after = decode(before, later) ?? zeroElement(items);
      if (after === before) continue;
      if (out === value) out = value.slice();
      out[i] = after;
    }
    return out;
  };
}

/** A list whose items are decoded later, in place. */
function listLater(items: Schema, value: readonly JsonValue[], later: Later[]): JsonValue[] {
  const decode = decoderOf(items);
  const out = value.slice();
  later.push({
    count: () => value.length,
    decode(start, end, inner) {
      for (let i = start; i < end; i++) out[i] = decode(value[i] as JsonValue, inner) ?? zeroElement(items); // within bounds
      return true;
    },
  });
  return out;
}

function compileMap(schema: Schema): Decoder {
  const { items } = schema;
  if (items === undefined) return keepAny;
  let decode: Decoder | undefined;
  return (value, later) => {
    if (!isJsonObject(value)) return orNull(value);
    decode ??= decoderOf(items);
    if (later !== undefined && isHuge(value)) return mapLater(items, value, later);
    let out = value;
    let count = 0;
    for (const key in value) {
      if (++count === hugeKeys) {
        noteHuge(out, key);
        if (later !== undefined && out === value) return mapLater(items, value, later);
      }
      const before = value[key] as JsonValue; // an own key
      const after = decode(before, later) ?? zeroElement(items);
      if (after === before) continue;
      if (out === value) out = { ...value };
      setOwn(out, key, after);
    }
    return out;
  };
}

/** A map whose values are checked later. If any changes, the exact decoder takes over: copying the map cannot pause. */
function mapLater(items: Schema, value: JsonObject, later: Later[]): JsonObject {
  const decode = decoderOf(items);
  let keys: readonly string[] = [];
  later.push({
    count(source) {
      keys = listedKeys(value, source.hugeKeys);
      return keys.length;
    },
    decode(start, end, inner) {
      for (let i = start; i < end; i++) {
        const before = value[keys[i] as string] as JsonValue; // within bounds
        if (decode(before, inner) !== before) throw giveUp;
      }
      return true;
    },
  });
  return value;
}

function compileObject(schema: Schema): Decoder {
  const keepUnknown = schema.preserveUnknownFields === true;
  let fields: ReadonlyMap<string, Decoder> | undefined;
  return (value, later) => {
    if (!isJsonObject(value)) return orNull(value);
    // No kind has as many fields.
    if (!keepUnknown && isHuge(value)) throw giveUp;
    fields ??= fieldsOf(schema);
    let copy: JsonObject | undefined;
    for (const key in value) {
      const before = value[key] as JsonValue; // an own key
      const decode = fields.get(key);
      if (decode === undefined && !keepUnknown) throw giveUp;
      const after = decode === undefined || before === undefined ? before : decode(before, later);
      if (copy === undefined) {
        if (after === before) continue;
        copy = keysBefore(value, key);
      }
      if (after !== undefined) setOwn(copy, key, after);
      else if (before !== null) noteEmptyMember(copy, schema.structure?.fields.get(key), before);
    }
    return copy ?? value;
  };
}

/** Copies the keys before `end`. Deleting keys from a full copy would turn it into a slow dictionary-mode object. */
function keysBefore(value: Readonly<JsonObject>, end: string): JsonObject {
  const copy: JsonObject = {};
  for (const key in value) {
    if (key === end) break;
    setOwn(copy, key, value[key] as JsonValue); // an own key
  }
  return copy;
}

function fieldsOf(schema: Schema): ReadonlyMap<string, Decoder> {
  const { structure } = schema;
  if (structure === undefined) return new Map();
  let fields = fieldDecoders.get(structure);
  if (fields === undefined) {
    fields = new Map([...structure.fields].map(([name, field]) => [name, compileField(field)]));
    fieldDecoders.set(structure, fields);
  }
  return fields;
}

function compileField(field: Field): Decoder {
  let decode: Decoder | undefined;
  return (value, later) => {
    if (value === null) return undefined;
    decode ??= decoderOf(field.schema);
    return keptValue(field, decode(value, later));
  };
}
