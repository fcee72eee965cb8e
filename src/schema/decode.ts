import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { type JsonSource, plainSource } from '../api/json/json-tree.ts';
import { type Decoded, decodeExactly } from './decode-exact.ts';
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

/**
 * Undefined if the exact decoder is needed: something in the source is unknown, duplicate or invalid, or keeps its
 * text.
 */
export function decodeCleanly(schema: Schema, source: JsonSource): Decoded | undefined {
  if (!source.faithful) return undefined;
  const object = unlessGivenUp(() => decoderOf(schema)(source.value) ?? null);
  return object === undefined ? undefined : { object: isJsonObject(object) ? object : {}, strictErrors: [] };
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

/**
 * Plain data of a custom kind with its nulls where the schema knows none, and with unknown fields if they are kept:
 * what an apply has merged is not read again in the reference. Undefined for what the exact decoder has to look at.
 */
export function decodeWithNulls(
  schema: Schema,
  value: JsonValue,
  { keepsUnknown = false }: { readonly keepsUnknown?: boolean } = {},
): JsonValue | undefined {
  const parts: FreeParts = {
    known: (part, inner) => (part.definition === undefined ? decoderOf(part)(inner) : freeValue(part, inner, parts)),
    unknown: () => undefined,
    keepsNulls: true,
    keepsUnknown,
  };
  return unlessGivenUp(() => freeValue(schema, value, parts));
}

/** A value within an object, without fields that are unknown to its schema; undefined if it has another type. */
export function decodedPart(schema: Schema, value: JsonValue): JsonValue | undefined {
  const decoded = unlessGivenUp(() => decoderOf(schema)(value) ?? null);
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

/** Returns the in-memory value; undefined for a zero value, which only list items and map values keep. */
type Decoder = (value: JsonValue) => JsonValue | undefined;

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
  // Values of custom resources.
  if (schema.definition !== undefined) return (value) => freeValue(schema, value, freeParts);
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

const freeParts: FreeParts = {
  known(schema, value, _key, container) {
    // The kind and the version of an object within the object are texts.
    if (value === null && schema.type === 'string' && container.embeddedResource === true) throw giveUp;
    return decoderOf(schema)(value);
  },
  unknown() {
    throw giveUp;
  },
};

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
  return (value) => {
    if (!isJsonObject(value) || schema.items === undefined) return other(value);
    inner ??= decoderOf(schema.items);
    return inner(value) ?? {};
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
  return (value) => {
    if (!Array.isArray(value)) return orNull(value);
    decode ??= decoderOf(items);
    let out: JsonValue[] = value;
    for (let i = 0; i < value.length; i++) {
      const before = value[i] as JsonValue; // within bounds
      const after = decode(before) ?? zeroElement(items);
      if (after === before) continue;
      if (out === value) out = value.slice();
      out[i] = after;
    }
    return out;
  };
}

function compileMap(schema: Schema): Decoder {
  const { items } = schema;
  if (items === undefined) return keepAny;
  let decode: Decoder | undefined;
  return (value) => {
    if (!isJsonObject(value)) return orNull(value);
    decode ??= decoderOf(items);
    let out = value;
    for (const key in value) {
      const before = value[key] as JsonValue; // an own key
      const after = decode(before) ?? zeroElement(items);
      if (after === before) continue;
      if (out === value) out = { ...value };
      setOwn(out, key, after);
    }
    return out;
  };
}

function compileObject(schema: Schema): Decoder {
  const keepUnknown = schema.preserveUnknownFields === true;
  let fields: ReadonlyMap<string, Decoder> | undefined;
  return (value) => {
    if (!isJsonObject(value)) return orNull(value);
    fields ??= fieldsOf(schema);
    let copy: JsonObject | undefined;
    for (const key in value) {
      const before = value[key] as JsonValue; // an own key
      const decode = fields.get(key);
      if (decode === undefined && !keepUnknown) throw giveUp;
      const after = decode === undefined || before === undefined ? before : decode(before);
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
  return (value) => {
    if (value === null) return undefined;
    decode ??= decoderOf(field.schema);
    return keptValue(field, decode(value));
  };
}
