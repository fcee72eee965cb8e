import { type FieldSelector, requiredValue } from '../api/field-selector.ts';
import type { LabelSelector } from '../api/label-selector.ts';
import { isInShard, type ShardSelector } from '../api/shard-selector.ts';
import { fieldMatcher, labelMatcher } from '../api/selection-matcher.ts';
import type { AttributeReader, CacheEntry, SelectableAttributes } from '../watchcache/cache-entry.ts';
import type { KubernetesObject } from '../api/object.ts';
import { parseOwnJson } from '../codec/json.ts';
import type { Strategy } from './strategy.ts';

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
    const attributes = entry.attributes(read);
    if (inShard?.(entry) === false) return false;
    return matchesLabels(attributes.labels) && matchesFields(attributes.fields);
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
export function attributeReader(strategy: Strategy): AttributeReader {
  const selectable = Object.entries(strategy.selectableFields ?? {});
  return (value: Uint8Array): SelectableAttributes => {
    const object = readSelectable(value, selectable.length > 0);
    const { name = '', namespace = '', uid = '', labels = {} } = object.metadata;
    const fields: { [field: string]: string } = {
      'metadata.name': name,
      'metadata.namespace': namespace,
      // Only for shard selectors; field selectors cannot name it.
      'metadata.uid': uid,
    };
    for (const [field, read] of selectable) fields[field] = read(object);
    return { labels, fields };
  };
}

/** Stored bytes of the kind as an object; integers that a double cannot hold matter to selectable fields only. */
function readSelectable(value: Uint8Array, needsIntegers: boolean): KubernetesObject {
  const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8');
  const isExact = needsIntegers && /\d{16}/.test(text);
  return (isExact ? parseOwnJson(value).value : JSON.parse(text)) as KubernetesObject;
}
