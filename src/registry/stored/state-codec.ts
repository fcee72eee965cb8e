import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { plainSource } from '../../api/json/json-tree.ts';
import { jsonOf, type KubernetesObject } from '../../api/meta/object.ts';
import { hasNotesWithin } from '../../api/json/written-notes.ts';
import { editedObject } from '../../codec/edited-object.ts';
import { decodeCleanly } from '../../schema/decode.ts';
import { storedForm } from '../../schema/encode-stored.ts';
import type { Schema } from '../../schema/schema.ts';
import { withStoredZeroTimes } from '../../schema/zero-times.ts';
import { ownBytes } from '../../storage/own-bytes.ts';
import { knownJson, type KnownState, knownState, noteEncoded } from './known-states.ts';
import { readState, rememberState } from './read-forms.ts';
import type { ReadObject, StoredObject } from './stored-object.ts';

// States of objects that writes start from: read from bytes, from other states, and written.

/** What a codec makes of stored JSON. Its states are known by it. */
export interface StateForms {
  readonly schema: () => Schema;
  /** Whether parsed JSON is of the kind and version of the codec. */
  readonly isOwn: (value: Readonly<JsonObject>) => boolean;
  /** Adds what the stored fields lack: the version of the object. */
  readonly complete: (fields: JsonObject, stored: StoredObject) => KubernetesObject;
}

interface Decoding {
  readonly decoded: JsonObject;
  /** What it was decoded from. */
  readonly value: JsonValue;
}

const nullMember = Buffer.from('":null');

/** The decoded fields with the zero times that are stored. */
export function withZeroTimes(schema: Schema, { decoded, value }: Decoding, stored: StoredObject): JsonObject {
  return hasNull(stored) ? withStoredZeroTimes(schema, decoded, value) : decoded;
}

function hasNull({ value }: StoredObject): boolean {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).includes(nullMember);
}

/** An object that has been parsed and decoded for a change. */
export function readForChange(
  forms: StateForms,
  { decoded, value }: Decoding & { readonly value: JsonObject },
  stored: StoredObject,
): KubernetesObject {
  const fields = withZeroTimes(forms.schema(), { decoded, value }, stored);
  const object = forms.complete(fields, stored);
  const hasZeroTimes = fields !== decoded;
  const { value: bytes, modRevision: revision } = stored;
  rememberState(object, { codec: forms, bytes, parsed: value, decoded: noFields, hasZeroTimes, object, revision });
  return object;
}

const noFields: KnownState['decoded'] = new Map();

/** The object of a known state; undefined if it has to be read from its bytes. */
export function decodeKnown(forms: StateForms, stored: StoredObject): KubernetesObject | undefined {
  const state = knownState(stored, forms);
  if (state === undefined) return undefined;
  if (state.object !== undefined && state.revision === stored.modRevision) return state.object;
  const changed = changedFields(forms, state, stored);
  if (changed === undefined) return undefined;
  const fields: JsonObject = {};
  for (const name in state.parsed) {
    const value = state.decoded.has(name) ? state.decoded.get(name) : changed[name];
    if (value !== undefined) fields[name] = value;
  }
  const object = forms.complete(fields, stored);
  state.object = object;
  state.revision = stored.modRevision;
  rememberState(object, state);
  return object;
}

/** An object of a known state, of whose fields only metadata are decoded; undefined if it has to be read from bytes. */
export function decodeKnownMetadata(forms: StateForms, stored: StoredObject): KubernetesObject | undefined {
  const known = knownJson(stored);
  if (known === undefined || !forms.isOwn(known)) return undefined;
  const schema = forms.schema();
  const value: JsonObject = { metadata: known['metadata'] ?? {} };
  const decoded = decodeCleanly(schema, plainSource(value))?.object;
  return decoded && forms.complete(withZeroTimes(schema, { decoded, value }, stored), stored);
}

/** Decodes what a write has changed; undefined if it cannot be decoded like that. */
function changedFields(forms: StateForms, state: KnownState, stored: StoredObject): JsonObject | undefined {
  const changed: JsonObject = {};
  for (const name in state.parsed) {
    if (!state.decoded.has(name)) changed[name] = state.parsed[name] as JsonValue; // an own key
  }
  const decoded = decodeCleanly(forms.schema(), plainSource(changed))?.object;
  if (decoded === undefined) return undefined;
  const fields = withZeroTimes(forms.schema(), { decoded, value: changed }, stored);
  state.hasZeroTimes ||= fields !== decoded;
  return fields;
}

/** Encodes an object, new or made from one that was read. What is stored then can be read again without parsing it. */
export function encodeNoting(forms: StateForms, object: Readonly<KubernetesObject>, read?: ReadObject): Buffer {
  const schema = forms.schema();
  const value = jsonOf(object);
  const state = read && readState(read.object);
  const from = read && state && { object: jsonOf(read.object), bytes: read.bytes, parsed: state.parsed };
  const edited = from && editedObject(schema, value, from);
  const { bytes: encoded, parsed } = edited ?? storedForm(schema, value);
  const bytes = ownBytes(encoded) as Buffer; // as what it is given
  if (parsed === undefined || !forms.isOwn(parsed) || isNoted(parsed, state?.parsed)) return bytes;
  const written = { codec: forms, bytes, parsed };
  if (edited === undefined || from === undefined) noteEncoded({ ...written, decoded: noFields, isInWireForm: true });
  else {
    const { isInWireForm, hasZeroTimes } = state ?? {};
    noteEncoded({
      ...written,
      decoded: sharedFields(parsed, { before: from.parsed, old: from.object }),
      isInWireForm,
      hasZeroTimes,
    });
  }
  return bytes;
}

/** Whether anything that is not in the bytes is noted of what has changed. */
function isNoted(parsed: Readonly<JsonObject>, before: Readonly<JsonObject> | undefined): boolean {
  const { metadata, ...fields } = parsed;
  const { managedFields: _, ...others } = isJsonObject(metadata) ? metadata : {};
  if (hasNotesWithin(others)) return true;
  return Object.keys(fields).some((name) => fields[name] !== before?.[name] && hasNotesWithin(fields[name]));
}

/** Fields that are the parsed ones of the object that was read. Metadata always change. */
function sharedFields(
  parsed: Readonly<JsonObject>,
  { before, old }: { readonly before: Readonly<JsonObject>; readonly old: Readonly<JsonObject> },
): KnownState['decoded'] {
  const shared = new Map<string, JsonValue | undefined>();
  for (const name in parsed) {
    if (name !== 'metadata' && parsed[name] === before[name]) shared.set(name, old[name]);
  }
  return shared;
}
