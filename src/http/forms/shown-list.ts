import type { GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { jsonOf } from '../../codec/document.ts';
import { itemBytes } from '../../codec/stored-object.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { StoredCodec, StoredObject } from '../../registry/stored/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Schema } from '../../schema/schema.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';

/** A list in some form, before encoding: its items and what surrounds them. */
export interface ShownList {
  /** The kind of the list. */
  readonly type: GroupVersionKind;
  readonly metadata: JsonObject;
  readonly entries: readonly CacheEntry[];
  /** The kind of the items if they are the stored objects themselves, so that stored bytes can be copied. */
  readonly stored: Resource | undefined;
  /** Schema of the items; undefined if they are written in key order. */
  readonly itemSchema: Schema | undefined;
  /** The list's JSON without its items. */
  readonly around: () => ListText;
  readonly item: (entry: CacheEntry) => JsonObject;
}

/** The JSON of a list around its items. */
export interface ListText {
  /** Up to and including the opening bracket of the items. */
  readonly head: string;
  /** From the closing bracket on. */
  readonly tail: string;
}

/** The codec of a resource's stored objects. */
export function codecOf({ store, resource }: ResourceScope): StoredCodec {
  if (store === undefined) throw new Error(`${resource.plural} are not stored`);
  return store.codec;
}

/** Whether a client that asks for an object receives its bytes as they are stored. */
export function showsStored({ conversion, store }: ResourceScope, stored: StoredObject): boolean {
  return conversion.servesStoredVersion || store?.codec.seen?.shows(stored) === true;
}

/** An item as JSON. */
export function itemJson({ stored, itemSchema, item }: ShownList, entry: CacheEntry): Uint8Array {
  return stored === undefined ? jsonOf({ object: item(entry), schema: itemSchema }) : storedItem(entry);
}

/** The JSON of a stored object as a list item. */
export function storedItem(entry: CacheEntry): Buffer {
  return itemBytes(entry.located(), String(entry.modRevision));
}
