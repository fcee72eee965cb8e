import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { type StoredField, type StoredForm, storedFields } from '../schema/encode-stored.ts';
import type { Schema, Structure } from '../schema/schema.ts';
import { isFieldAt, skipValue } from './stored-object.ts';

/** An object as it was read, and what it was read from: the same fields and values, in bytes and as parsed JSON. */
export interface ReadFrom {
  readonly object: Readonly<JsonObject>;
  readonly bytes: Uint8Array;
  readonly parsed: Readonly<JsonObject>;
}

/**
 * The stored form of an object made from one that was read: fields that are those of the `read` object, the same in
 * memory, keep their bytes, and so do those in its metadata. Undefined if it has to be written as a whole, because
 * there are no such fields, fields have been removed, or are not stored in wire order.
 */
export function editedObject(schema: Schema, object: Readonly<JsonObject>, read: ReadFrom): StoredForm | undefined {
  if (!sharesFields(object, read.object)) return undefined;
  const edits = editsOf(schema, object, read);
  if (edits === undefined) return undefined;
  const editor = new Editor(read.bytes);
  return editor.edit(edits, 1) ? { bytes: editor.end(), parsed: editedParse(edits) } : undefined;
}

/** What parsing the edited bytes would yield. */
function editedParse({ structure, stored, values }: Edits): JsonObject {
  const parsed: JsonObject = {};
  for (const name of structure.fields.keys()) {
    const value = values.get(name);
    if (value === undefined) {
      if (Object.hasOwn(stored, name)) parsed[name] = stored[name] as JsonValue; // an own key
    } else parsed[name] = isEdits(value) ? editedParse(value) : value.parsed;
  }
  return parsed;
}

/** Whether more than its metadata is shared: this is what makes it worthwhile. */
function sharesFields(object: Readonly<JsonObject>, old: Readonly<JsonObject>): boolean {
  for (const name in object) {
    const value = object[name];
    if (name !== 'metadata' && typeof value === 'object' && value === old[name]) return true;
  }
  return false;
}

/** New values of fields, or edits within one. */
interface Edits {
  readonly structure: Structure;
  readonly stored: Readonly<JsonObject>;
  readonly values: ReadonlyMap<string, StoredField | Edits>;
}

function isEdits(value: StoredField | Edits): value is Edits {
  return 'values' in value;
}

function editsOf(schema: Schema, object: Readonly<JsonObject>, { object: old, parsed }: ReadFrom): Edits | undefined {
  const { structure } = schema;
  const { metadata } = object;
  const { metadata: oldMetadata } = old;
  const { metadata: stored } = parsed;
  if (!isJsonObject(metadata) || !isJsonObject(oldMetadata) || !isJsonObject(stored)) return undefined;
  const within = structure?.fields.get('metadata')?.schema;
  if (structure === undefined || within?.structure === undefined) return undefined;
  const changed = changesOf(within, metadata, { old: oldMetadata, part: 'metadata' });
  const values = changed && changesOf(schema, object, { old, part: 'object' });
  if (changed === undefined || values === undefined) return undefined;
  const edits: Map<string, StoredField | Edits> = new Map(values);
  if (changed.size > 0) edits.set('metadata', { structure: within.structure, stored, values: changed });
  return { structure, stored: parsed, values: edits };
}

/** The fields that are new or have other values; undefined if fields have been removed. */
function changesOf(
  schema: Schema,
  object: Readonly<JsonObject>,
  { old, part }: { readonly old: Readonly<JsonObject>; readonly part: 'object' | 'metadata' },
): ReadonlyMap<string, StoredField> | undefined {
  for (const name in old) if (object[name] === undefined && old[name] !== undefined) return undefined;
  let changed: JsonObject | undefined;
  for (const name in object) {
    const value = object[name];
    if (value === undefined || value === old[name] || name === apart[part]) continue;
    changed ??= {};
    changed[name] = value;
  }
  return changed === undefined ? noFields : storedFields(schema, changed, part);
}

/** Metadata is compared field by field, and its resource version is not stored. */
const apart = { object: 'metadata', metadata: 'resourceVersion' } as const;
const noFields: ReadonlyMap<string, StoredField> = new Map();

const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Copies stored bytes with edits. */
class Editor {
  readonly #bytes: Uint8Array;
  readonly #pieces: Uint8Array[] = [];
  /** What has been copied. */
  #copied = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Edits the object whose fields begin at `first`. False if fields are not in wire order. */
  edit({ structure, stored, values }: Edits, first: number): boolean {
    const bytes = this.#bytes;
    let position = first;
    let left = values.size;
    let isEmpty = true;
    if (left === 0) return true;
    for (const name of structure.fields.keys()) {
      const value = values.get(name);
      if (isFieldAt(bytes, position, name)) {
        const start = position + name.length + '"":'.length;
        if (value !== undefined) {
          if (!this.#replace(value, start)) return false;
          if (--left === 0) return true;
        }
        const next = value === undefined || isEdits(value) ? skipValue(bytes, start) : this.#copied;
        position = bytes[next] === comma ? next + 1 : next;
        isEmpty = false;
      } else if (value !== undefined) {
        if (isEdits(value) || Object.hasOwn(stored, name)) return false;
        const field = `"${name}":${value.text}`;
        this.#put(position, bytes[position] === closeBrace ? `${isEmpty ? '' : ','}${field}` : `${field},`);
        if (--left === 0) return true;
        isEmpty = false;
      }
    }
    return false;
  }

  end(): Buffer {
    return Buffer.concat([...this.#pieces, this.#bytes.subarray(this.#copied)]);
  }

  #replace(value: StoredField | Edits, start: number): boolean {
    const bytes = this.#bytes;
    if (isEdits(value)) return bytes[start] === openBrace && this.edit(value, start + 1);
    this.#put(start, value.text);
    this.#copied = skipValue(bytes, start);
    return true;
  }

  #put(position: number, text: string): void {
    if (position > this.#copied) this.#pieces.push(this.#bytes.subarray(this.#copied, position));
    this.#copied = position;
    this.#pieces.push(Buffer.from(text));
  }
}
