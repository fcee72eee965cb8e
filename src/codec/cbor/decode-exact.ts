import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../api/json/json.ts';
import { canonicalText, integerRange, isTextError } from '../../schema/decode-scalars.ts';
import type { Field, Schema } from '../../schema/schema.ts';
import { AnyDecoder, overflow, plainInteger } from './any-decoder.ts';
import { CborError, CborTypeError, duplicateKey, quoteBytes, UnknownFieldError } from './cbor-errors.ts';
import { ItemReader } from './item-reader.ts';
import { majorTypes, maxInt64, typeName } from './major-types.ts';
import { canonicalBase64 } from '../../api/bytes/base64.ts';

/** Decodes well-formed CBOR as an object of a kind, with the reference's errors. Throws CborError. */
export function decodeExactly(schema: Schema, bytes: Uint8Array, { strict }: { readonly strict: boolean }): JsonValue {
  const decoder = new ExactDecoder(new ItemReader(bytes), strict);
  const value = withoutStackTraces(() => decoder.typed(schema));
  const error = decoder.error ?? decoder.rawError;
  if (error !== undefined) throw error;
  return value;
}

/**
 * Each item that does not fit creates an error, of which the first is reported: a body may have a million. Their stack
 * traces are not needed, and capturing them takes a hundred times as long as everything else.
 */
function withoutStackTraces<T>(decode: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return decode();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Where a value is decoded to. */
interface Target {
  /** A Go pointer, which null and undefined set to nil. */
  readonly pointer?: boolean;
  /** The previous value, which null leaves unchanged. */
  readonly previous?: JsonValue;
}

/** The result is the JSON of the kind: null is what is absent. */
class ExactDecoder extends AnyDecoder {
  /** The first error in converting raw values to JSON, which the reference does last. */
  rawError: CborError | undefined;
  /** Unknown keys are errors. */
  readonly #strict: boolean;

  constructor(reader: ItemReader, strict: boolean) {
    super(reader);
    this.#strict = strict;
  }

  typed(schema: Schema, { pointer = false, previous = null }: Target = {}): JsonValue {
    const { reader } = this;
    if (pointer && reader.isNil) {
      reader.skip();
      return null;
    }
    reader.skipSelfDescribed();
    if (!this.checkTags()) return previous;
    const own = this.#ownForm(schema);
    if (own !== undefined) return own;
    const before = this.laterEncodings.length;
    while (reader.major === majorTypes.tag) this.enterTag();
    const value = this.#plain(schema, previous);
    this.laterEncodings.length = before;
    return value;
  }

  #plain(schema: Schema, previous: JsonValue): JsonValue {
    const { major } = this.reader;
    switch (schema.type) {
      case 'object':
        return this.#object(schema, previous);
      case 'map':
        return this.#map(schema, previous);
      case 'array':
        return this.#array(schema, previous);
      case 'string':
        if (schema.format === 'byte') return this.#bytes(schema);
        return isString(major) ? this.anyString(major) : this.mismatch(schema.goType, previous);
      case 'integer':
        return this.#integer(schema, previous);
      case 'number':
        return this.#number(schema, previous);
      case 'boolean':
        return this.#boolean(schema, previous);
      case 'any':
        return this.any();
    }
  }

  #object(schema: Schema, previous: JsonValue): JsonValue {
    const { structure, goType } = schema;
    if (structure === undefined) return this.any();
    const { reader } = this;
    if (reader.major === majorTypes.array) {
      reader.skip();
      const why = 'cannot decode CBOR array to struct without toarray option';
      this.error = new CborTypeError(typeName(majorTypes.array), goType, { why });
      return previous;
    }
    if (reader.major !== majorTypes.map) return this.mismatch(goType, previous);
    return this.#fields(schema, structure.fields);
  }

  #fields({ goType }: Schema, fields: ReadonlyMap<string, Field>): JsonValue {
    const count = this.reader.count();
    const object: JsonObject = {};
    const seen = new Set<string>();
    let first: CborError | undefined;
    for (let i = 0; this.more(i, count); i++) {
      const key = this.#fieldKey();
      const badKey = this.takeError();
      first ??= badKey;
      if (key === undefined) {
        this.reader.skip();
        continue;
      }
      const field = key.name === undefined ? undefined : fields.get(key.name);
      if (field === undefined && this.#strict) return this.#stop(new UnknownFieldError(i), i, count);
      if (seen.has(key.identity)) return this.#stop(duplicateKey(key.text(), i), i, count);
      seen.add(key.identity);
      if (field === undefined) {
        this.reader.skip();
        continue;
      }
      const value = this.typed(field.schema, { pointer: field.pointer });
      const bad = this.takeError();
      first ??= bad instanceof CborTypeError ? bad.inField(`${goType}.${field.name}`) : bad;
      setOwn(object, field.name, value);
    }
    this.error = first;
    return object;
  }

  /** Ends a map at entry `i`, whose key has been read. */
  #stop(error: CborError, i: number, count: number | undefined): JsonValue {
    this.reader.skip();
    this.skipEntries(i + 1, count);
    this.error = error;
    return null;
  }

  /** A key of a struct; undefined when its type cannot be a key. */
  #fieldKey(): FieldKey | undefined {
    const { reader } = this;
    const { major } = reader;
    if (major === majorTypes.text) {
      const name = this.textString();
      if (this.error !== undefined) return undefined;
      return stringKey(name, this.lastString);
    }
    if (major === majorTypes.bytes) {
      // No conversion of later encodings here: this is a name.
      const bytes = Buffer.concat(reader.chunks());
      return stringKey(bytes.toString('utf8'), bytes);
    }
    if (major === majorTypes.positive || major === majorTypes.negative) return this.#integerKey(major);
    const why = `map key is of type ${typeName(major)} and cannot be used to match struct field name`;
    const error = new CborTypeError(typeName(major), 'string', { why });
    const value = this.any();
    const unusable = this.error !== undefined || (typeof value === 'object' && value !== null);
    this.error = error;
    if (unusable) return undefined;
    const text = typeof value === 'string' ? quoteBytes(Buffer.from(value)) : value === null ? '<nil>' : String(value);
    return { name: undefined, identity: `${typeof value} ${String(value)}`, text: () => text };
  }

  #integerKey(major: number): FieldKey | undefined {
    const argument = this.reader.bigHead();
    if (argument > maxInt64) {
      const text = major === majorTypes.negative ? `-1-${argument}` : String(argument);
      this.error = new CborTypeError(typeName(major), 'int64', { why: `${text} overflows Go's int64` });
      return undefined;
    }
    const text = String(major === majorTypes.negative ? -1n - argument : argument);
    return { name: undefined, identity: `integer ${text}`, text: () => text };
  }

  #map(schema: Schema, previous: JsonValue): JsonValue {
    const { items } = schema;
    if (this.reader.major !== majorTypes.map) return this.mismatch(schema.goType, previous);
    if (items === undefined) return this.anyMap();
    return this.entries({
      keyType: keyTypeOf(schema),
      // Scalars, successive ones of which Go decodes into the same variable.
      keepsPrevious: isScalar(items),
      value: (before) => this.typed(items, { previous: before }),
    });
  }

  #array(schema: Schema, previous: JsonValue): JsonValue {
    const { items } = schema;
    if (this.reader.major !== majorTypes.array) return this.mismatch(schema.goType, previous);
    return this.items(() => (items === undefined ? this.any() : this.typed(items)));
  }

  #integer(schema: Schema, previous: JsonValue): JsonValue {
    const { reader } = this;
    const { major } = reader;
    const { goType } = schema;
    const { min, max } = integerRange(schema);
    if (major === majorTypes.negative && min === 0n) return this.mismatch(goType, previous);
    if (major !== majorTypes.positive && major !== majorTypes.negative) return this.mismatch(goType, previous);
    const argument = reader.bigHead();
    const value = major === majorTypes.negative ? -1n - argument : argument;
    if (value >= min && value <= max) return plainInteger(value);
    const beyond = major === majorTypes.negative && argument > maxInt64;
    this.error = overflow(major, argument, goType, beyond ? "Go's int64" : goType);
    return previous;
  }

  #number(schema: Schema, previous: JsonValue): JsonValue {
    const { reader } = this;
    const { major } = reader;
    const { goType } = schema;
    if (major === majorTypes.positive || major === majorTypes.negative) {
      const argument = reader.bigHead();
      if (major === majorTypes.positive) return Number(argument);
      if (argument <= maxInt64) return Number(-1n - argument);
      this.error = overflow(major, argument, goType, "Go's int64");
      return previous;
    }
    if (major !== majorTypes.primitive || reader.info < 25) return this.mismatch(goType, previous);
    const value = reader.float();
    return schema.format === 'float' ? Math.fround(value) : value;
  }

  #boolean({ goType }: Schema, previous: JsonValue): JsonValue {
    const { reader } = this;
    const { major, info } = reader;
    if (major !== majorTypes.primitive || (info !== 20 && info !== 21)) return this.mismatch(goType, previous);
    return reader.head() === 21;
  }

  /** A byte slice: from Base64, from raw bytes below a tag that says so, or from numbers. */
  #bytes({ goType }: Schema): JsonValue {
    const { reader } = this;
    if (reader.major === majorTypes.array) {
      const byte: Schema = { type: 'integer', format: 'uint8', goType: 'uint8' };
      return Buffer.from(this.items(() => this.typed(byte)).map(Number)).toString('base64');
    }
    if (reader.major !== majorTypes.bytes) return this.mismatch(goType, null);
    const content = Buffer.concat(reader.chunks());
    if (this.laterEncodings.length > 0) return content.toString('base64');
    try {
      return canonicalBase64(content.toString('latin1'));
    } catch (error) {
      if (!isTextError(error)) throw error;
      this.error = new CborError(`cbor: failed to decode base64 from byte string: ${error.message}`);
      return null;
    }
  }

  /** Types with their own unmarshalling: they decode a whole item, whatever tags enclose it. */
  #ownForm(schema: Schema): JsonValue | undefined {
    switch (schema.format) {
      case 'date-time':
      case 'micro-time':
      case 'quantity':
        return this.#apart((inner) => inner.#canonical(schema));
      case 'duration':
        return this.#apart((inner) => inner.#duration());
      case 'int-or-string':
        return this.#apart((inner) => inner.#intOrString());
      case 'json':
        return this.#apart((inner) => inner.any());
      case 'raw-extension':
        return this.#raw('RawExtension to JSON: failed to parse RawExtension bytes as CBOR', (inner) => inner.any());
      case 'fields-v1':
        return this.#fieldsV1();
      case 'schema-or-bool':
        return this.#apart((inner) => inner.#schemaOrBool(schema));
      case 'schema-or-array':
      case 'schema-or-strings':
        return this.#apart((inner) => inner.#schemaOrList(schema));
      default:
        return undefined;
    }
  }

  /** Decodes the next item with a decoder of its own, which is always strict. */
  #apart(read: (inner: ExactDecoder) => JsonValue): JsonValue {
    const inner = new ExactDecoder(this.reader, true);
    const value = read(inner);
    this.error = inner.error;
    return value;
  }

  /** Skips an item that represents nothing. */
  #nothing(): null {
    this.reader.skip();
    return null;
  }

  #canonical({ format }: Schema): JsonValue {
    if (this.reader.isNil) return this.#nothing();
    const text = this.string('string', '');
    if (this.error !== undefined) return null;
    try {
      return canonicalText[format ?? '']?.(text) ?? text;
    } catch (error) {
      if (!isTextError(error)) throw error;
      this.error = new CborError(error.message);
      return null;
    }
  }

  /** Decoded via JSON, as in the reference. */
  #duration(): JsonValue {
    const value = this.#transcoded();
    if (this.error !== undefined) return null;
    try {
      if (value === null || typeof value === 'string') return canonicalText['duration']?.(value ?? '') ?? null;
    } catch (error) {
      if (!isTextError(error)) throw error;
      this.error = new CborError(error.message);
      return null;
    }
    this.error = new CborError(`json: cannot unmarshal ${jsonWord(value)} into Go value of type string`);
    return null;
  }

  #transcoded(): JsonValue {
    const value = this.any();
    if (this.error !== undefined) {
      this.error = new CborError(`cbor: cannot transcode from cbor to json: ${this.error.message}`);
    }
    return value;
  }

  /** Tried as a string first, then as a number: null is an empty string. */
  #intOrString(): JsonValue {
    const start = this.reader.at;
    const text = this.string('string', '');
    if (this.takeError() === undefined) return text;
    this.reader.at = start;
    return this.typed({ type: 'integer', format: 'int32', goType: 'int32' });
  }

  /** Kept raw, and converted at the very end. */
  #raw(what: string, read: (inner: ExactDecoder) => JsonValue): JsonValue {
    const inner = new ExactDecoder(this.reader, true);
    const value = read(inner);
    if (inner.error === undefined) return value;
    this.rawError ??= new CborError(`failed to transcode ${what}: ${inner.error.message}`);
    return null;
  }

  /** The reference ignores anything but maps and tags. */
  #fieldsV1(): JsonValue {
    const { reader } = this;
    const byte = reader.bytes[reader.at] ?? 0;
    const isMap = reader.major === majorTypes.map || (byte >= 0xc6 && byte <= 0xdb);
    if (isMap) return this.#raw('FieldsV1 to JSON: metav1.FieldsV1 cbor invalid', (inner) => inner.typed(anyMap));
    return this.#nothing();
  }

  #schemaOrBool({ items }: Schema): JsonValue {
    const { reader } = this;
    if (reader.major === majorTypes.map && items !== undefined) return this.typed(items);
    const byte = reader.bytes[reader.at];
    reader.skip();
    if (byte === 0xf4 || byte === 0xf5) return byte === 0xf5;
    this.error = new CborError('boolean or JSON schema expected');
    return null;
  }

  /** Anything else is ignored. */
  #schemaOrList({ items, format }: Schema): JsonValue {
    const { reader } = this;
    if (items === undefined) return this.#nothing();
    if (reader.major === majorTypes.map) return this.typed(items);
    if (reader.major !== majorTypes.array) return this.#nothing();
    if (format === 'schema-or-array') return this.items(() => this.typed(items) ?? {});
    return this.items(() => this.typed(plainText) ?? '');
  }
}

const anyMap: Schema = { type: 'map', goType: 'map[string]interface {}' };
const plainText: Schema = { type: 'string', goType: 'string' };

interface FieldKey {
  /** Undefined unless it is a string. */
  readonly name: string | undefined;
  readonly identity: string;
  text(): string;
}

function stringKey(name: string, bytes: Uint8Array): FieldKey {
  const identity = `string ${Buffer.from(bytes).toString('latin1')}`;
  return { name, identity, text: () => quoteBytes(bytes) };
}

/** Go types of map keys other than plain strings, by the name of the map's type. */
const keyTypes: ReadonlyMap<string, string> = new Map([['v1.ResourceList', 'v1.ResourceName']]);

function keyTypeOf({ goType }: Schema): string {
  return keyTypes.get(goType) ?? /^map\[([^\]]+)\]/.exec(goType)?.[1] ?? 'string';
}

function isString(major: number): boolean {
  return major === majorTypes.bytes || major === majorTypes.text;
}

function isScalar({ type, format }: Schema): boolean {
  if (type === 'string') return format === undefined;
  return type === 'integer' || type === 'number' || type === 'boolean';
}

function jsonWord(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'boolean' ? 'bool' : 'number';
}
