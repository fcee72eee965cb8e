import type { JsonObject } from '../../api/json/json.ts';

/** `metadata` of a list or a Table. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
  /** The shard selector, for lists of whole objects only. */
  readonly shard?: string;
}

/** A list's metadata in wire order, without empty fields. */
export function listMeta({
  resourceVersion = '',
  continue: token = '',
  remainingItemCount,
  shard,
}: ListMeta): JsonObject {
  const meta: JsonObject = {};
  if (resourceVersion !== '') meta['resourceVersion'] = resourceVersion;
  if (token !== '') meta['continue'] = token;
  if (remainingItemCount !== undefined) meta['remainingItemCount'] = remainingItemCount;
  if (shard !== undefined) meta['shardInfo'] = { selector: shard };
  return meta;
}

/** The metadata of a list that does not report shards, in wire order, without empty fields. */
export function unshardedMeta(list: ListMeta): JsonObject {
  const { shard: _, ...rest } = list;
  return listMeta(rest);
}
