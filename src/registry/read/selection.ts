import { type FieldSelector, requiredValue } from '../../api/selectors/field-selector.ts';
import type { LabelSelector } from '../../api/selectors/label-selector.ts';
import { isInShard, type ShardSelector } from '../../api/selectors/shard-selector.ts';
import { fieldMatcher, labelMatcher } from '../../api/selectors/selection-matcher.ts';
import type { AttributeReader, CacheEntry, SelectableAttributes } from '../../watchcache/cache-entry.ts';
import type { KubernetesObject, ObjectMeta } from '../../api/meta/object.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import { metadataFields } from '../../codec/stored-object.ts';
import { parseOwnJson } from '../../codec/json.ts';
import { storedMembers, wantedMembers, type WantedMember } from '../../codec/stored-members.ts';
import type { Strategy } from '../kinds/strategy.ts';

/** What a list or watch selects. */
export interface Selection {
  /** Empty: all namespaces. */
  readonly namespace: string;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  /** Undefined: all shards. */
  readonly shard?: ShardSelector;
}

/** Whether it selects everything in its namespaces. */
export function selectsAll({ labels, fields, shard }: Selection): boolean {
  return labels.length === 0 && fields.length === 0 && shard === undefined;
}

type EntryFilter = (entry: CacheEntry) => boolean;

/** A filter for entries; undefined if everything is selected. */
export function selectorOf(selection: Selection, read: AttributeReader): EntryFilter | undefined {
  if (selectsAll(selection)) return undefined;
  const { labels, fields } = selection;
  const matchesLabels = labelMatcher(labels);
  const matchesFields = fieldMatcher(fields);
  const inShard = shardFilterOf(selection, read);
  return (entry) => {
    if (inShard?.(entry) === false) return false;
    const attributes = entry.attributes(read);
    if (labels.length > 0 && !matchesLabels(attributes.labels)) return false;
    return fields.length === 0 || matchesFields(attributes.fields);
  };
}

/** Whether an entry is in the selected shard; undefined if all shards are. */
export function shardFilterOf({ shard }: Selection, read: AttributeReader): EntryFilter | undefined {
  return shard === undefined
    ? undefined
    : (entry) => isInShard(shard, entry.attributes(read).fields[shard.field] ?? '');
}

/** The only name that can match, if the selection determines one. */
export function selectedName({ fields }: Selection): string | undefined {
  return requiredValue(fields, 'metadata.name');
}

/** Reads labels and selectable fields from stored bytes. */
export function attributeReader({ selectableFields = {}, selectedMembers }: Strategy): AttributeReader {
  const readers = Object.entries(selectableFields);
  const known = readers.length === 0 ? [] : selectedMembers;
  const members = known === undefined ? undefined : wantedMembers([...metadataMembers, ...known]);
  return (value: Uint8Array): SelectableAttributes => new StoredAttributes(value, { readers, members });
}

const metadataMembers = ['metadata.name', 'metadata.namespace', 'metadata.uid'];

interface Selectable {
  readonly readers: readonly (readonly [field: string, read: (object: KubernetesObject) => string])[];
  /** What they look at; undefined: nobody knows. */
  readonly members: readonly WantedMember[] | undefined;
}

/** Only what selectors ask of an object is parsed, if it is known where to find it. */
class StoredAttributes implements SelectableAttributes {
  readonly #value: Uint8Array;
  readonly #selectable: Selectable;
  #labels: SelectableAttributes['labels'] | undefined;
  #fields: SelectableAttributes['fields'] | undefined;

  constructor(value: Uint8Array, selectable: Selectable) {
    this.#value = value;
    this.#selectable = selectable;
  }

  get labels(): SelectableAttributes['labels'] {
    return (this.#labels ??= (metadataOf(this.#value, ['labels']) as ObjectMeta).labels ?? {});
  }

  get fields(): SelectableAttributes['fields'] {
    return (this.#fields ??= this.#read());
  }

  #read(): SelectableAttributes['fields'] {
    const { readers, members } = this.#selectable;
    // Of what is not read, nothing is looked at.
    const object = (
      members === undefined ? readSelectable(this.#value) : storedMembers(this.#value, members)
    ) as KubernetesObject;
    const { name = '', namespace = '', uid = '' } = object.metadata ?? {};
    // The uid is for shard selectors only; field selectors cannot name it.
    const fields: { [field: string]: string } = {
      'metadata.name': name,
      'metadata.namespace': namespace,
      'metadata.uid': uid,
    };
    for (const [field, read] of readers) fields[field] = read(object);
    return fields;
  }
}

/** Fields of the metadata of a stored object, as they were written. */
function metadataOf(value: Uint8Array, names: readonly string[]): JsonObject {
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const found: JsonObject = {};
  for (const [index, place] of metadataFields(value, names).entries()) {
    if (place !== undefined)
      found[names[index] ?? ''] = JSON.parse(text.toString('utf8', place.value, place.next)) as JsonValue;
  }
  return found;
}

/** Stored bytes as an object; integers that a double cannot hold are exact. */
function readSelectable(value: Uint8Array): KubernetesObject {
  const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8');
  return (/\d{16}/.test(text) ? parseOwnJson(value).value : JSON.parse(text)) as KubernetesObject;
}
