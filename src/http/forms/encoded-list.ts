import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import type { ListLayout } from './list-chunks.ts';

/**
 * A list whose items are encoded one by one: when their size is requested, and released once copied, so that at most a
 * chunk of encoded items is in memory.
 */
export function encodedList({
  head,
  tail,
  separator = nothing,
  chunkBytes = defaultChunkBytes,
  encode,
}: {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Between items. */
  readonly separator?: Uint8Array;
  readonly chunkBytes?: number;
  readonly encode: (entry: CacheEntry) => Uint8Array;
}): ListLayout {
  const waiting = new Map<CacheEntry, Uint8Array>();
  const encoded = (entry: CacheEntry): Uint8Array => {
    let item = waiting.get(entry);
    if (item === undefined) {
      item = encode(entry);
      waiting.set(entry, item);
    }
    return item;
  };
  return {
    head,
    tail,
    chunkBytes,
    size: (entry, isFirst) => encoded(entry).length + (isFirst ? 0 : separator.length),
    copy(entry, isFirst, { target, position }) {
      const item = encoded(entry);
      waiting.delete(entry);
      const start = isFirst ? position : position + separator.length;
      if (!isFirst) target.set(separator, position);
      target.set(item, start);
      return start + item.length;
    },
  };
}

const nothing = new Uint8Array();
/** Above the compression threshold. */
const defaultChunkBytes = 160 * 1024;
