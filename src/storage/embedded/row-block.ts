import type { LogRow, RowBlock } from './protocol.ts';

/** revision, createRevision, previousRevision, expiresAtMs, key bytes, value bytes (-1: a deletion). */
export const rowFields = 6;

/** Packs rows into two transferable buffers; `spare` is reused for the bytes if they fit. */
export function packRows(rows: readonly LogRow[], spare?: ArrayBuffer): RowBlock {
  const numbers = new Float64Array(rows.length * rowFields);
  let sizeBytes = 0;
  for (const row of rows) sizeBytes += Buffer.byteLength(row.key) + (row.value?.length ?? 0);
  const bytes = Buffer.from(spare !== undefined && spare.byteLength >= sizeBytes ? spare : new ArrayBuffer(sizeBytes));
  let at = 0;
  let field = 0;
  for (const row of rows) {
    const keyBytes = bytes.write(row.key, at);
    at += keyBytes;
    numbers[field] = row.revision;
    numbers[field + 1] = row.createRevision;
    numbers[field + 2] = row.previousRevision;
    numbers[field + 3] = row.expiresAtMs;
    numbers[field + 4] = keyBytes;
    numbers[field + 5] = row.value?.length ?? -1;
    field += rowFields;
    if (row.value === undefined) continue;
    bytes.set(row.value, at);
    at += row.value.length;
  }
  return { numbers, bytes };
}

/** The rows of a block; their values are views of its bytes. */
export function unpackRows(block: RowBlock): LogRow[] {
  const { numbers } = block;
  const bytes = Buffer.from(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
  const rows: LogRow[] = [];
  let at = 0;
  for (let field = 0; field < numbers.length; field += rowFields) {
    const keyEnd = at + numbers[field + 4]!;
    const valueBytes = numbers[field + 5]!;
    const valueEnd = keyEnd + Math.max(0, valueBytes);
    rows.push({
      revision: numbers[field]!,
      key: bytes.toString('utf8', at, keyEnd),
      value: valueBytes < 0 ? undefined : bytes.subarray(keyEnd, valueEnd),
      createRevision: numbers[field + 1]!,
      previousRevision: numbers[field + 2]!,
      expiresAtMs: numbers[field + 3]!,
    });
    at = valueEnd;
  }
  return rows;
}

export function transfersOf(...blocks: readonly RowBlock[]): ArrayBuffer[] {
  return blocks.flatMap((block) => [block.numbers.buffer, block.bytes.buffer]);
}
