import type { JsonObject } from '../../api/json.ts';

/** `metadata` of a list or a Table. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
  /** The selector of a shard, of lists of whole objects alone. */
  readonly shard?: string;
}

/** A list's metadata in wire order, without what is empty. */
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

/** The same of lists that do not tell of shards. */
export function unshardedMeta(list: ListMeta): JsonObject {
  const { shard: _, ...rest } = list;
  return listMeta(rest);
}
