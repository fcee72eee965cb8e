import type { GroupVersionKind } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/json.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Work } from '../../api/turns.ts';
import { jsonOf } from '../../codec/document.ts';
import { itemBytes } from '../../codec/stored-object.ts';
import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { StoredCodec } from '../../registry/stored-object.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Schema } from '../../schema/schema.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';

/** A list as a form shows it, before it is written: what stands around the items, and each of them. */
export interface ShownList {
  /** The kind of the list. */
  readonly type: GroupVersionKind;
  readonly metadata: JsonObject;
  readonly entries: readonly CacheEntry[];
  /** The kind of the items where they are the stored objects themselves, so that stored bytes may go into the list. */
  readonly stored: Resource | undefined;
  /** Of the items; undefined for what is written in the order of its keys. */
  readonly itemSchema: Schema | undefined;
  /** The list as JSON without its items. */
  readonly around: () => ListText;
  readonly item: (entry: CacheEntry) => JsonObject;
  /** The same, pausing. */
  readonly read: (entry: CacheEntry) => Work<JsonObject>;
}

/** The JSON of a list around its items. */
export interface ListText {
  /** Up to the bracket that opens the items. */
  readonly head: string;
  /** From the bracket that closes them. */
  readonly tail: string;
}

/** How the objects of a resource become what they are in memory. */
export function codecOf({ store, resource }: ResourceScope): StoredCodec {
  if (store === undefined) throw new Error(`${resource.plural} are not stored`);
  return store.codec;
}

/** Items that are made of decoded objects, one by one. */
export function itemsShown(
  codec: StoredCodec,
  show: (object: KubernetesObject) => JsonObject,
): Pick<ShownList, 'item' | 'read'> {
  return {
    item: (entry) => show(codec.decode(entry)),
    *read(entry) {
      const object = yield* codec.read(entry);
      yield;
      return show(object);
    },
  };
}

/** An item as JSON. */
export function itemJson({ stored, itemSchema, item }: ShownList, entry: CacheEntry): Uint8Array {
  return stored === undefined ? jsonOf({ object: item(entry), schema: itemSchema }) : storedItem(entry);
}

/** The same, pausing. */
export function* readItemJson({ stored, itemSchema, read }: ShownList, entry: CacheEntry): Work<Uint8Array> {
  if (stored !== undefined) return storedItem(entry);
  const object = yield* read(entry);
  yield;
  return jsonOf({ object, schema: itemSchema });
}

/** The JSON of a stored object as an item. */
export function storedItem(entry: CacheEntry): Buffer {
  return itemBytes(entry.located(), String(entry.modRevision));
}
