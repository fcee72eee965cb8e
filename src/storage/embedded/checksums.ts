import { crc32 } from 'node:zlib';
import { DamagedStoreError } from './damage.ts';
import type { LogRow } from './protocol.ts';

/** SQLite detects damage to its own structure, but not to row contents. */
export function rowChecksum({ revision, key, value, createRevision, previousRevision, expiresAtMs }: LogRow): number {
  const head = `${revision} ${createRevision} ${previousRevision} ${expiresAtMs} ${value?.length ?? 'none'} ${key}`;
  return value === undefined ? crc32(head) : crc32(value, crc32(head));
}

export function numberChecksum(name: string, value: number): number {
  return crc32(`${name} ${value}`);
}

/** Null: written by a format without checksums. */
export function verifyRow(row: LogRow, checksum: number | null): void {
  if (checksum === null || checksum === rowChecksum(row)) return;
  throw new DamagedStoreError(`it is damaged: the checksum of revision ${row.revision} does not match`);
}

export function verifyNumber(name: string, value: number, checksum: number | null): void {
  if (checksum === null || checksum === numberChecksum(name, value)) return;
  throw new DamagedStoreError(`it is damaged: the checksum of its counter "${name}" does not match`);
}
