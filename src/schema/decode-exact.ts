import { fieldErrorText, invalidField } from '../api/errors/field-error.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { inKeyOrder } from '../api/json/json-text.ts';
import { JsonMembers, JsonNumber, type JsonTree, plainNumber, plainOf, plainSource } from '../api/json/json-tree.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { noteFloat } from '../api/json/written-notes.ts';
import { type FreeParts, freeValue, type PathPart } from './custom/free-value.ts';
import { DecodeError, TypeMismatchError } from './decode-errors.ts';
import { hugeNumber, isWholeFloat, plainNoting, rawValue, unsignedNumber } from './decode-kept.ts';
import { canonicalText, integerRange, isTextError } from './decode-scalars.ts';
import { keptValue, noteEmptyMember, zeroElement } from './decode-zero.ts';
import { embeddedPath } from './embedded-names.ts';
import type { Field, Schema } from './schema.ts';

export interface Decoded {
  readonly object: JsonObject;
  /** `unknown field "spec.foo"`, `duplicate field "spec.foo"`: in the reference's order, at most 100 of JSON. */
  readonly strictErrors: readonly string[];
}

/**
 * Decodes a tree with the semantics of Go's typed decoding: the first type error wins but decoding continues, errors of
 * types with their own wire form end it at once, duplicates merge, unknown and duplicate fields are collected.
 */
export function decodeExactly(schema: Schema, tree: JsonTree, words: StrictWords = 'decoder'): Decoded {
  const decoder = new ExactDecoder(words);
  const object = decoder.decode(schema, tree, undefined);
  const error = decoder.firstError ?? decoder.conversionError;
  if (error !== undefined) throw error;
  return { object: isJsonObject(object) ? object : {}, strictErrors: [...decoder.strictErrors] };
}

/**
 * The reader that finds unknown fields: the decoder of JSON quotes their names and stops at 100 errors; the converter
 * of the merged maps of a strategic merge patch does neither, nor does what prunes custom resources.
 */
export type StrictWords = 'decoder' | 'converter';

const maxStrictErrors = 100;
/** Levels of types that contain themselves, which are decoded recursively. */
const maxTypedDepth = 2_500;

class ExactDecoder {
  private readonly words: StrictWords;
  firstError: DecodeError | undefined;
  /** Errors in free-form JSON that the reference converts after decoding the whole object. */
  conversionError: DecodeError | undefined;
  readonly strictErrors = new Set<string>();
  /** Struct and field path for errors. */
  private structName = '';
  private fields: string[] = [];
  /** Path with indexes and map keys for strict errors. */
  private strictPath = '';
  /** Collects unknown fields that are reported later. */
  private postponed: string[] | undefined;
  private depth = 0;

  constructor(words: StrictWords) {
    this.words = words;
  }

  /** `existing` is the value of an earlier duplicate; undefined is the zero value. */
  decode(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    if (schema.definition !== undefined) return this.free(schema, tree);
    if (++this.depth > maxTypedDepth) throw new DecodeError('exceeded max depth');
    const decoded = isScalar(schema) ? this.scalar(schema, tree, existing) : this.collection(schema, tree, existing);
    this.depth--;
    return decoded;
  }

  private collection(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    switch (schema.type) {
      case 'object':
        return this.object(schema, tree, existing);
      case 'map':
        return this.map(schema, tree, existing);
      case 'array':
        return this.array(schema, tree, existing);
      default:
        return this.any(schema, tree, existing);
    }
  }

  private scalar(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    switch (schema.type) {
      case 'string':
        return this.string(schema, tree, existing);
      case 'integer':
        return this.integer(schema, tree, existing);
      case 'number':
        return this.number(schema, tree, existing);
      default:
        if (typeof tree === 'boolean' || tree === null) return tree ?? existing;
        return this.mismatch(schema.goType, tree, existing);
    }
  }

  private object(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    const { structure } = schema;
    if (tree === null) return existing;
    if (structure === undefined) return plainOf(tree);
    if (!(tree instanceof JsonMembers)) return this.mismatch(schema.goType, tree, existing);
    const object: JsonObject = isJsonObject(existing) ? { ...existing } : {};
    const { structName, fields, strictPath } = this;
    const seen = new Set<string>();
    for (const [i, key] of tree.keys.entries()) {
      const field = structure.fields.get(key);
      const value = tree.values[i] ?? null;
      if (field === undefined) {
        if (schema.preserveUnknownFields === true) setOwn(object, key, plainOf(value));
        else this.strict('unknown', key);
        continue;
      }
      if (seen.has(key)) this.strict('duplicate', key);
      seen.add(key);
      this.structName = structure.goName;
      this.fields = [...fields, ...embeddedPath(structure, field), key];
      this.strictPath = joinPath(strictPath, key);
      this.field(object, field, value);
      this.structName = structName;
      this.fields = fields;
      this.strictPath = strictPath;
    }
    return object;
  }

  private field(object: JsonObject, field: Field, value: JsonTree): void {
    const { name, pointer, schema } = field;
    const existing = Object.hasOwn(object, name) ? object[name] : undefined;
    // Null makes a pointer nil; other types handle null themselves.
    const decoded = pointer && value === null ? undefined : this.decode(schema, value, existing);
    const kept = keptValue(field, decoded);
    if (kept !== undefined) setOwn(object, name, kept);
    else {
      delete object[name];
      noteEmptyMember(object, field, decoded);
    }
    if (schema.format === 'json' && isWholeFloat(value)) noteFloat(object, name);
  }

  private map(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    if (tree === null) return undefined;
    if (!(tree instanceof JsonMembers)) return this.mismatch(schema.goType, tree, existing);
    const object: JsonObject = isJsonObject(existing) ? { ...existing } : {};
    const { strictPath } = this;
    const seen = new Set<string>();
    for (const [i, key] of tree.keys.entries()) {
      if (seen.has(key)) this.strict('duplicate', key);
      seen.add(key);
      this.strictPath = joinPath(strictPath, key);
      setOwn(object, key, this.element(schema, tree.values[i] ?? null, undefined));
      this.strictPath = strictPath;
    }
    return object;
  }

  private array(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    if (tree === null) return undefined;
    if (!Array.isArray(tree)) return this.mismatch(schema.goType, tree, existing);
    const { strictPath } = this;
    const before = Array.isArray(existing) ? existing : [];
    const items: JsonValue[] = [];
    for (const [i, item] of tree.entries()) {
      this.strictPath = `${strictPath}[${i}]`;
      const decoded = this.element(schema, item, before[i]);
      // After an error the object is not needed; decoding continues for errors that take precedence.
      if (this.firstError !== undefined) continue;
      items.push(decoded);
      if (schema.items?.format === 'json' && isWholeFloat(item)) noteFloat(items, i);
    }
    this.strictPath = strictPath;
    return items;
  }

  private element(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue {
    const { items } = schema;
    if (items === undefined) return plainOf(tree);
    return this.decode(items, tree, existing) ?? zeroElement(items);
  }

  /**
   * The reference decodes a custom resource as free-form JSON, then its metadata, and then reports unknown fields in
   * path order.
   */
  private free(schema: Schema, tree: JsonTree): JsonValue {
    const huge = hugeNumber(tree);
    if (huge !== undefined) throw huge;
    const ofMetadata: string[] = [];
    const unknown: string[] = [];
    const embedded: string[] = [];
    const at = (part: PathPart): string => partPath(this.strictPath, part);
    // Of metadata: keys of maps are in brackets.
    let keyedPath = this.strictPath;
    const parts: FreeParts = {
      known: (inner, value, part, container) => {
        const [strictPath, outerPath] = [this.strictPath, keyedPath];
        const isTyped = inner.definition === undefined;
        const isKeyed = container.type === 'map' && container.items === inner;
        keyedPath = isKeyed ? `${keyedPath}[${part}]` : partPath(keyedPath, part);
        this.strictPath = isTyped ? keyedPath : at(part);
        // Objects within the object are looked at last.
        this.postponed = this.strictPath.includes('.') ? embedded : ofMetadata;
        const kept = isTyped ? this.typed(inner, value) : freeValue(inner, value, parts);
        this.postponed = undefined;
        this.strictPath = strictPath;
        keyedPath = outerPath;
        return kept;
      },
      unknown: (part) => void unknown.push(at(part)),
    };
    const value = freeValue(
      schema,
      plainNoting(tree, (path) => this.note('duplicate', path)),
      parts,
    );
    const all = [...ofMetadata.slice(0, maxStrictErrors), ...unknown.toSorted(), ...embedded.toSorted()];
    for (const path of all) this.noteVerbatim('unknown', path);
    return value;
  }

  /** A part of a custom resource with a Go type, which the reference encodes, in key order, and decodes separately. */
  private typed(schema: Schema, given: JsonValue): JsonValue | undefined {
    const value = inKeyOrder(given);
    const { structName, fields } = this;
    this.structName = '';
    this.fields = [];
    const where = this.strictPath;
    if (schema.type === 'string' && typeof value !== 'string') {
      throw new DecodeError(fieldErrorText(invalidField(where, value, 'must be a string')));
    }
    const decoded = this.placed(where, value, () => {
      const found = this.decode(schema, plainSource(value).tree(), undefined);
      if (this.firstError !== undefined && where.includes('.')) throw this.firstError;
      return found;
    });
    this.structName = structName;
    this.fields = fields;
    return decoded;
  }

  /** Errors of an object within the object tell where it is. */
  private placed<T>(where: string, value: JsonValue, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof DecodeError) || !where.includes('.')) throw error;
      throw new DecodeError(fieldErrorText(invalidField(where, value, error.message)));
    }
  }

  private string(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    const canonical = canonicalText[schema.format ?? ''];
    if (canonical === undefined) {
      if (tree === null) return existing;
      return typeof tree === 'string' ? tree : this.mismatch(schema.goType, tree, existing);
    }
    if (schema.format === 'byte') return this.bytes(schema, tree, existing, canonical);
    if (tree === null && schema.format !== 'duration') return undefined;
    try {
      return canonical(this.encodedText(schema, tree));
    } catch (error) {
      // These types unmarshal themselves: their errors end the decoding and hide earlier ones.
      throw isTextError(error) ? new DecodeError(error.message) : error;
    }
  }

  /** The input of a type with its own wire form. */
  private encodedText(schema: Schema, tree: JsonTree): string {
    if (typeof tree === 'string') return tree;
    if (schema.format === 'quantity') return tree instanceof JsonNumber ? tree.text : '{}';
    // A null duration is the empty string.
    if (tree === null) return '';
    throw new TypeMismatchError(valueText(tree, false), 'string', this.at());
  }

  private bytes(
    schema: Schema,
    tree: JsonTree,
    existing: JsonValue | undefined,
    canonical: (text: string) => string,
  ): JsonValue | undefined {
    if (tree === null) return undefined;
    if (Array.isArray(tree)) return this.byteArray(tree);
    if (typeof tree !== 'string') return this.mismatch(schema.goType, tree, existing);
    try {
      return canonical(tree);
    } catch (error) {
      if (!isTextError(error)) throw error;
      this.firstError ??= new DecodeError(error.message);
      return existing;
    }
  }

  private byteArray(tree: readonly JsonTree[]): string {
    const byte: Schema = { type: 'integer', format: 'uint8', goType: 'uint8' };
    return Buffer.from(tree.map((item) => Number(this.scalar(byte, item, undefined) ?? 0))).toString('base64');
  }

  private integer(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    if (tree === null) return existing;
    if (!(tree instanceof JsonNumber)) return this.mismatch(schema.goType, tree, existing);
    const value = integerOf(schema, tree);
    return value ?? this.mismatch(schema.goType, tree, existing, true);
  }

  private number(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    if (tree === null) return existing;
    if (!(tree instanceof JsonNumber)) return this.mismatch(schema.goType, tree, existing);
    const value = Number(tree.text);
    return Number.isFinite(value) ? value : this.mismatch(schema.goType, tree, existing, true);
  }

  private any(schema: Schema, tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    switch (schema.format) {
      case 'int-or-string':
        return this.intOrString(tree, existing);
      case 'schema-or-bool':
        if (tree instanceof JsonMembers) return this.nested(schema, tree);
        if (typeof tree === 'boolean') return tree;
        throw new DecodeError('boolean or JSON schema expected');
      case 'schema-or-array':
        if (Array.isArray(tree)) return this.nestedItems(schema, tree);
        return tree instanceof JsonMembers ? this.nested(schema, tree) : undefined;
      case 'schema-or-strings':
        if (Array.isArray(tree)) return this.strings(tree);
        return tree instanceof JsonMembers ? this.nested(schema, tree) : undefined;
      case 'raw-extension':
        return tree === null ? existing : rawValue(tree);
      case 'json':
        return tree === null ? existing : this.freeJson(tree);
      default:
        return tree === null ? existing : plainOf(tree);
    }
  }

  /** JSON that the reference decodes and re-encodes: numbers lose their original spelling, and zeros their sign. */
  private freeJson(tree: JsonTree): JsonValue {
    this.conversionError ??= hugeNumber(tree);
    return plainNoting(tree, () => undefined, unsignedNumber);
  }

  private intOrString(tree: JsonTree, existing: JsonValue | undefined): JsonValue | undefined {
    const int32: Schema = { type: 'integer', format: 'int32', goType: 'int32' };
    if (typeof tree === 'string') return tree;
    if (tree === null) return typeof existing === 'number' ? existing : undefined;
    const value = tree instanceof JsonNumber ? integerOf(int32, tree) : undefined;
    if (value === undefined) {
      throw new TypeMismatchError(valueText(tree, tree instanceof JsonNumber), 'int32', this.at());
    }
    return value;
  }

  private nestedItems(schema: Schema, tree: readonly JsonTree[]): JsonValue[] {
    const items: JsonValue[] = [];
    for (const item of tree) items.push(this.nested(schema, item));
    return items;
  }

  /** A schema inside a union is decoded by a decoder of its own, without strict errors. */
  private nested(schema: Schema, tree: JsonTree): JsonValue {
    const inner = new ExactDecoder('decoder');
    try {
      const value = schema.items === undefined ? plainOf(tree) : (inner.decode(schema.items, tree, undefined) ?? {});
      if (inner.firstError !== undefined) throw inner.firstError;
      this.conversionError ??= inner.conversionError;
      return value;
    } catch (error) {
      throw error instanceof TypeMismatchError ? error.inside(this.at()) : error;
    }
  }

  private strings(tree: readonly JsonTree[]): JsonValue[] {
    const wrong = tree.find((item) => typeof item !== 'string' && item !== null);
    if (wrong !== undefined) throw new TypeMismatchError(valueText(wrong, false), 'string', this.at());
    return tree.map((item) => (typeof item === 'string' ? item : ''));
  }

  private mismatch(
    goType: string,
    tree: JsonTree,
    existing: JsonValue | undefined,
    withNumber = false,
  ): JsonValue | undefined {
    this.firstError ??= new TypeMismatchError(valueText(tree, withNumber), goType, this.at());
    return existing;
  }

  private at(): { structName: string; field: string } {
    return { structName: this.structName, field: this.fields.join('.') };
  }

  private strict(kind: 'unknown' | 'duplicate', key: string): void {
    const path = joinPath(this.strictPath, key);
    if (this.postponed === undefined || kind === 'duplicate') this.note(kind, path);
    else this.postponed.push(path);
  }

  private noteVerbatim(kind: 'unknown' | 'duplicate', path: string): void {
    this.strictErrors.add(`${kind} field "${path}"`);
  }

  private note(kind: 'unknown' | 'duplicate', path: string): void {
    if (this.words === 'converter') this.noteVerbatim(kind, path);
    else if (this.strictErrors.size < maxStrictErrors) this.strictErrors.add(`${kind} field ${goQuote(path)}`);
  }
}

function isScalar({ type }: Schema): boolean {
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';
}

function partPath(path: string, part: PathPart): string {
  return typeof part === 'number' ? `${path}[${part}]` : joinPath(path, part);
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** For 64 bits, including the sign. */
const maxIntegerCharacters = 20;

function integerOf(schema: Schema, { text }: JsonNumber): number | bigint | undefined {
  if (text.length > maxIntegerCharacters || /[.eE]/.test(text)) return undefined;
  const { min, max } = integerRange(schema);
  const value = BigInt(text);
  if (value < min || value > max) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(plainNumber(text)) + 0 : value;
}

function valueText(tree: JsonTree, withNumber: boolean): string {
  if (tree instanceof JsonNumber) return withNumber ? `number ${tree.text}` : 'number';
  if (tree instanceof JsonMembers) return 'object';
  if (Array.isArray(tree)) return 'array';
  return tree === null ? 'null' : typeof tree === 'boolean' ? 'bool' : 'string';
}
