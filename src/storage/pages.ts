import { type KeyValue, prefixEnd, type Storage } from './contract.ts';

export interface StoragePage {
  readonly kvs: readonly KeyValue[];
  /** That of the first page, at which all are read. */
  readonly revision: number;
}

/** What is stored under a prefix at one revision, at least one page. */
export async function* storagePages(
  storage: Pick<Storage, 'range'>,
  prefix: string,
  limit = 1_000,
): AsyncGenerator<StoragePage, void> {
  let start = prefix;
  let revision: number | undefined;
  for (;;) {
    const at = revision === undefined ? {} : { revision };
    const page = await storage.range({ start, end: prefixEnd(prefix), limit, ...at });
    revision ??= page.revision;
    yield { kvs: page.kvs, revision };
    const last = page.kvs.at(-1);
    if (!page.more || last === undefined) return;
    start = `${last.key}\0`;
  }
}
