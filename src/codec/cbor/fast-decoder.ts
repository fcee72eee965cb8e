import { isUtf8 } from 'node:buffer';
import { canonicalBase64 } from '../../api/base64.ts';
import { hugeKeys, noteHuge } from '../../api/huge-objects.ts';
import { type JsonObject, type JsonValue, setOwn } from '../../api/json.ts';
import type { Work } from '../../api/turns.ts';
import { noteFloat } from '../../api/written-notes.ts';
import { isTextError } from '../../schema/decode-scalars.ts';
import type { Schema } from '../../schema/schema.ts';
import { checkCollections } from '../body-limits.ts';
import { readSorted, sorted } from './any-decoder.ts';
import type { FieldTable, TableField } from './field-table.ts';
import { doubleByte, majorTypes, nullByte, selfDescribedPrefix, tags } from './major-types.ts';
import { Rests, unfinished } from './rests.ts';
import { type CborNode, fieldsOf, itemsOf, nodeKinds, nodeOf } from './node.ts';

/** Thrown for anything that is left to the exact decoder. */
class GiveUp extends Error {}
const giveUp = new GiveUp('not as encoders write it');

/** Bytes read between two pauses. */
const bytesPerPause = 8 * 1024;

/** A container that is being read. */
interface Open {
  readonly into: JsonObject;
  /** The entries or items that follow. */
  readonly left: number;
  /** Of the entry that is unfinished. */
  readonly key?: string;
}

/** More deeply nested objects and raw values are left to the exact decoder. */
const maxDepth = 100;
const maxShortText = 24;

/** Decodes CBOR as encoders of this API write it: definite lengths, byte strings, known fields. Pauses (`Rests`). */
export class FastDecoder {
  /** Of maps with many keys: what they are. */
  readonly hugeKeys = new Map<object, string[]>();
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  #at = 0;
  /** Argument and position of the last head. */
  #argument = 0;
  #depth = 0;
  #collections = 0;
  #pauseAt = bytesPerPause;
  readonly #rests = new Rests(() => this.#pause());

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The object; undefined if the exact decoder must take over. */
  *decode(schema: Schema): Work<JsonValue | undefined> {
    try {
      this.#skipPrefix();
      let value = this.#value(nodeOf(schema));
      if (value === unfinished) value = yield* this.#rests.read();
      return this.#at === this.#bytes.length ? value : undefined;
    } catch (error) {
      if (error instanceof GiveUp) return undefined;
      throw error;
    }
  }

  /**
   * Skips the whole item and returns the named string fields of its map; undefined if the exact decoder must take over.
   */
  *texts(names: readonly string[]): Work<readonly string[] | undefined> {
    try {
      return yield* this.#texts(names);
    } catch (error) {
      if (error instanceof GiveUp) return undefined;
      throw error;
    }
  }

  *#pause(): Work<void> {
    yield;
    this.#pauseAt = this.#at + bytesPerPause;
  }

  *#texts(names: readonly string[]): Work<readonly string[]> {
    this.#skipPrefix();
    if (this.#head() !== majorTypes.map) throw giveUp;
    const found = names.map(() => '');
    const seen = new Set<string>();
    for (let left = this.#count(2); left > 0; left--) {
      const key = this.#string();
      if (seen.has(key)) throw giveUp;
      seen.add(key);
      const index = names.indexOf(key);
      if (index === -1) {
        let items = this.#skip(1);
        for (; items > 0; items = this.#skip(items)) yield* this.#pause();
      } else found[index] = this.#string();
    }
    if (this.#at !== this.#bytes.length) throw giveUp;
    return found;
  }

  /** Skips so many items until it is time to pause, and returns the number of those that are left. */
  #skip(items: number): number {
    let left = items;
    for (; left > 0 && this.#at < this.#pauseAt; left--) {
      const start = this.#at;
      const major = this.#head();
      if (major === majorTypes.bytes || major === majorTypes.text) {
        if (this.#argument > this.#bytes.length - this.#at) throw giveUp;
        this.#at += this.#argument;
      } else if (major === majorTypes.array) left += this.#count(1);
      else if (major === majorTypes.map) left += this.#count(2) * 2;
      else if (major > majorTypes.map) left += this.#special(start);
    }
    return left;
  }

  /** Skips booleans, null and the tag of bytes, and returns the number of further items that belong to it. */
  #special(start: number): number {
    const byte = this.#bytes[start] as number; // its head has been read
    if (byte === 0xc0 + tags.base64) return 1;
    if (byte < 0xf4 || byte > nullByte) throw giveUp;
    return 0;
  }

  #skipPrefix(): void {
    if (selfDescribedPrefix.every((byte, i) => this.#bytes[i] === byte)) this.#at = selfDescribedPrefix.length;
  }

  /** Reads a head and returns its major type. */
  #head(): number {
    const bytes = this.#bytes;
    const byte = bytes[this.#at];
    if (byte === undefined) throw giveUp;
    this.#at++;
    const info = byte & 31;
    if (info < 24) this.#argument = info;
    else this.#longArgument(info);
    return byte >> 5;
  }

  #longArgument(info: number): void {
    const size = info > 27 ? Infinity : 1 << (info - 24);
    if (this.#at + size > this.#bytes.length) throw giveUp;
    this.#argument =
      size === 8
        ? this.#buffer.readUInt32BE(this.#at) * 2 ** 32 + this.#buffer.readUInt32BE(this.#at + 4)
        : this.#buffer.readUIntBE(this.#at, size);
    this.#at += size;
  }

  #value(node: CborNode): JsonValue {
    if (this.#bytes[this.#at] === nullByte) return this.#null(node);
    switch (node.kind) {
      case nodeKinds.object:
        return this.#object(node);
      case nodeKinds.map:
        return this.#map(node);
      case nodeKinds.array:
        return this.#array(node);
      case nodeKinds.string:
      case nodeKinds.formatted:
        return this.#string();
      case nodeKinds.integer:
        return this.#integer(node);
      case nodeKinds.boolean:
        return this.#boolean();
      case nodeKinds.number:
        return this.#number();
      case nodeKinds.bytes:
        return this.#base64();
      case nodeKinds.intOrString:
        return this.#intOrString(node);
      case nodeKinds.any:
        return this.#raw(node);
      default:
        throw giveUp;
    }
  }

  /** For some types null is significant. */
  #null({ kind }: CborNode): null {
    if (kind === nodeKinds.intOrString || kind === nodeKinds.odd) throw giveUp;
    checkCollections(++this.#collections);
    this.#at++;
    return null;
  }

  #object(node: CborNode): JsonValue {
    const table = fieldsOf(node);
    if (this.#head() !== majorTypes.map || table === undefined || ++this.#depth > maxDepth) throw giveUp;
    return this.#fields({}, table, this.#count(2));
  }

  #fields(object: JsonObject, table: FieldTable<CborNode>, count: number): JsonValue {
    for (let left = count; left > 0; left--) {
      if (this.#at >= this.#pauseAt) return this.#fieldsLater(table, { into: object, left });
      this.#expectString();
      const index = table.find(this.#bytes, this.#at, this.#argument);
      if (index === -1) throw giveUp;
      this.#at += this.#argument;
      const field = table.fields[index] as TableField<CborNode>; // found
      const { name } = field;
      // Null counts: a duplicate field must be noticed.
      if (object[name] !== undefined) throw giveUp;
      if (field.pointer && this.#bytes[this.#at] === nullByte) {
        this.#at++;
        object[name] = null;
      } else {
        const value = this.#value((field.node ??= nodeOf(field.schema)));
        if (value === unfinished) return this.#fieldsLater(table, { into: object, left: left - 1, key: name });
        object[name] = value;
      }
    }
    this.#depth--;
    return object;
  }

  #fieldsLater(table: FieldTable<CborNode>, { into, left, key }: Open): JsonValue {
    return this.#rests.later((member) => {
      if (key !== undefined) into[key] = member;
      return this.#fields(into, table, left);
    });
  }

  /** Number of items of a container whose head was read, each of at least `bytesEach`. */
  #count(bytesEach: number): number {
    checkCollections(++this.#collections);
    const count = this.#argument;
    if (count * bytesEach > this.#bytes.length - this.#at) throw giveUp;
    return count;
  }

  /** Reads the head of a string that is complete. */
  #expectString(): void {
    const major = this.#head();
    if (major !== majorTypes.bytes && major !== majorTypes.text) throw giveUp;
    if (this.#argument > this.#bytes.length - this.#at) throw giveUp;
  }

  #string(): string {
    this.#expectString();
    const start = this.#at;
    const end = start + this.#argument;
    this.#at = end;
    const bytes = this.#bytes;
    let i = start;
    while (i < end && (bytes[i] as number) < 0x80) i++; // within bounds
    if (i === end) return asciiText(this.#buffer, start, end);
    if (!isUtf8(bytes.subarray(start, end))) throw giveUp;
    return this.#buffer.toString('utf8', start, end);
  }

  #map(node: CborNode): JsonValue {
    const items = itemsOf(node);
    if (this.#head() !== majorTypes.map || items === undefined) throw giveUp;
    const count = this.#count(2);
    return this.#entries(this.#newMap(count), items, count);
  }

  #entries(object: JsonObject, items: CborNode, count: number): JsonValue {
    for (let left = count; left > 0; left--) {
      if (this.#at >= this.#pauseAt) return this.#entriesLater(items, { into: object, left });
      const key = this.#string();
      // Null leaves the value of the previous entry.
      if (Object.hasOwn(object, key) || this.#bytes[this.#at] === nullByte) throw giveUp;
      const value = this.#value(items);
      if (value === unfinished) return this.#entriesLater(items, { into: object, left: left - 1, key });
      this.#put(object, key, value);
    }
    return object;
  }

  #entriesLater(items: CborNode, { into, left, key }: Open): JsonValue {
    return this.#rests.later((member) => {
      if (key !== undefined) this.#put(into, key, member);
      return this.#entries(into, items, left);
    });
  }

  /** Of huge maps the keys are kept. */
  #newMap(count: number): JsonObject {
    const object: JsonObject = {};
    if (count >= hugeKeys) this.hugeKeys.set(object, []);
    return object;
  }

  #put(object: JsonObject, key: string, value: JsonValue): void {
    setOwn(object, key, value);
    if (this.hugeKeys.size > 0) this.#noteKey(object, key);
  }

  #noteKey(object: JsonObject, key: string): void {
    const keys = this.hugeKeys.get(object);
    if (keys?.push(key) === hugeKeys) noteHuge(object, key);
  }

  #array(node: CborNode): JsonValue {
    const items = itemsOf(node);
    if (this.#head() !== majorTypes.array || items === undefined) throw giveUp;
    return this.#items([], items, this.#count(1));
  }

  #items(values: JsonValue[], items: CborNode, count: number): JsonValue {
    for (let left = count; left > 0; left--) {
      if (this.#at >= this.#pauseAt) return this.#itemsLater(values, items, left);
      const value = this.#value(items);
      if (value === unfinished) return this.#itemsAfter(values, items, left - 1);
      values.push(value);
    }
    return values;
  }

  #itemsLater(values: JsonValue[], items: CborNode, left: number): JsonValue {
    return this.#rests.later(() => this.#items(values, items, left));
  }

  #itemsAfter(values: JsonValue[], items: CborNode, left: number): JsonValue {
    return this.#rests.later((member) => {
      values.push(member);
      return this.#items(values, items, left);
    });
  }

  #integer({ min, max }: CborNode): number {
    const major = this.#head();
    if (major > majorTypes.negative) throw giveUp;
    const value = major === majorTypes.negative ? -1 - this.#argument : this.#argument;
    if (value < min || value > max) throw giveUp;
    return value;
  }

  #boolean(): boolean {
    const byte = this.#bytes[this.#at];
    if (byte !== 0xf4 && byte !== 0xf5) throw giveUp;
    this.#at++;
    return byte === 0xf5;
  }

  #atFloat(): boolean {
    return this.#bytes[this.#at] === doubleByte;
  }

  #number(): number {
    if (!this.#atFloat() || this.#at + 9 > this.#bytes.length) throw giveUp;
    const value = this.#buffer.readDoubleBE(this.#at + 1);
    if (!Number.isFinite(value)) throw giveUp;
    this.#at += 9;
    return value;
  }

  /** Bytes in tag 22, or their base64. */
  #base64(): string {
    const { base64 } = tags;
    const isTagged = this.#bytes[this.#at] === 0xc0 + base64;
    if (isTagged) this.#at++;
    if (this.#head() !== majorTypes.bytes || this.#argument > this.#bytes.length - this.#at) throw giveUp;
    const start = this.#at;
    this.#at += this.#argument;
    if (isTagged) return this.#buffer.toString('base64', start, this.#at);
    try {
      return canonicalBase64(this.#buffer.toString('latin1', start, this.#at));
    } catch (error) {
      throw isTextError(error) ? giveUp : error;
    }
  }

  #intOrString(node: CborNode): JsonValue {
    const major = (this.#bytes[this.#at] ?? 0) >> 5;
    if (major === majorTypes.bytes || major === majorTypes.text) return this.#string();
    const value = this.#integer(node);
    if (value !== (value | 0)) throw giveUp;
    return value;
  }

  #raw({ schema }: CborNode): JsonValue {
    const major = (this.#bytes[this.#at] ?? 0) >> 5;
    if (schema.format === 'fields-v1' && major !== majorTypes.map) throw giveUp;
    return this.#any();
  }

  #any(): JsonValue {
    const byte = this.#bytes[this.#at] ?? 0;
    switch (byte >> 5) {
      case majorTypes.positive:
      case majorTypes.negative:
        return this.#integer(safeInteger);
      case majorTypes.bytes:
      case majorTypes.text:
        return this.#string();
      case majorTypes.array:
      case majorTypes.map:
        return this.#container();
      default:
        if (byte === doubleByte) return this.#number();
        if (byte !== nullByte) return this.#boolean();
        checkCollections(++this.#collections);
        this.#at++;
        return null;
    }
  }

  #container(): JsonValue {
    if (++this.#depth > maxDepth) throw giveUp;
    const major = this.#head();
    if (major === majorTypes.array) return this.#anyItems([], this.#count(1));
    const count = this.#count(2);
    return this.#anyEntries(this.#newMap(count), count);
  }

  #anyItems(values: JsonValue[], count: number): JsonValue {
    for (let left = count; left > 0; left--) {
      if (this.#at >= this.#pauseAt) return this.#anyItemsLater(values, left);
      const isFloat = this.#atFloat();
      const value = this.#any();
      if (value === unfinished) return this.#anyItemsAfter(values, left - 1);
      if (isFloat && Number.isSafeInteger(value)) noteFloat(values, values.length);
      values.push(value);
    }
    this.#depth--;
    return values;
  }

  #anyItemsLater(values: JsonValue[], left: number): JsonValue {
    return this.#rests.later(() => this.#anyItems(values, left));
  }

  #anyItemsAfter(values: JsonValue[], left: number): JsonValue {
    return this.#rests.later((member) => {
      values.push(member);
      return this.#anyItems(values, left);
    });
  }

  #anyEntries(object: JsonObject, count: number): JsonValue {
    for (let left = count; left > 0; left--) {
      if (this.#at >= this.#pauseAt) return this.#anyEntriesLater({ into: object, left });
      const key = this.#string();
      if (Object.hasOwn(object, key)) throw giveUp;
      const isFloat = this.#atFloat();
      const value = this.#any();
      if (value === unfinished) return this.#anyEntriesLater({ into: object, left: left - 1, key });
      if (isFloat && Number.isSafeInteger(value)) noteFloat(object, key);
      this.#put(object, key, value);
    }
    this.#depth--;
    const keys = this.hugeKeys.get(object);
    return keys === undefined ? sorted(object) : this.#rests.workLater(this.#sorted(object, keys));
  }

  #anyEntriesLater({ into, left, key }: Open): JsonValue {
    return this.#rests.later((member) => {
      if (key !== undefined) this.#put(into, key, member);
      return this.#anyEntries(into, left);
    });
  }

  *#sorted(object: JsonObject, keys: string[]): Work<JsonObject> {
    const copy = yield* readSorted(object, keys);
    this.hugeKeys.delete(object);
    this.hugeKeys.set(copy, keys);
    return copy;
  }
}

const safeInteger = nodeOf({ type: 'integer', format: 'int64', goType: 'int64' });

/** Short strings are built from characters: a native call costs more. */
function asciiText(buffer: Buffer, start: number, end: number): string {
  if (end - start > maxShortText) return buffer.toString('latin1', start, end);
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(buffer[i] as number); // within bounds
  return text;
}
