import { WireWriter } from '../../api/bytes/wire-writer.ts';
import type { DeleteRequest, PutRequest } from '../contract.ts';

/** Encodes etcd v3 requests. Field numbers are from its `rpc.proto`. */

export interface RangeOptions {
  readonly key: Uint8Array;
  readonly end?: Uint8Array;
  readonly limit?: number;
  readonly revision?: number;
  readonly countOnly?: boolean;
}

export function rangeRequest(options: RangeOptions): WireWriter {
  const { key, end, limit, revision, countOnly } = options;
  const writer = new WireWriter().bytes(1, key);
  if (end !== undefined) writer.bytes(2, end);
  if (limit !== undefined) writer.integer(3, limit);
  if (revision !== undefined) writer.integer(4, revision);
  if (countOnly === true) writer.integer(9, 1);
  return writer;
}

/** Field numbers of RequestOp. */
const operations = { range: 1, put: 2, delete: 3 } as const;

/** Puts if the key is at the expected revision, else reads it. `lease` 0: none. */
export function putTransaction({ key, value, expectedModRevision }: PutRequest, lease: bigint): Buffer {
  const put = new WireWriter().bytes(1, Buffer.from(key)).bytes(2, value);
  if (lease !== 0n) put.bigint(3, lease);
  return transaction(key, expectedModRevision, new WireWriter().message(operations.put, put));
}

/** Deletes if the key is at the expected revision, else reads it. */
export function deleteTransaction({ key, expectedModRevision }: DeleteRequest): Buffer {
  const range = new WireWriter().bytes(1, Buffer.from(key));
  return transaction(key, expectedModRevision, new WireWriter().message(operations.delete, range));
}

const compareTargets = { version: { target: 0, field: 4 }, modRevision: { target: 2, field: 6 } } as const;

function compare(target: keyof typeof compareTargets, key: string, value: number): WireWriter {
  const { target: code, field } = compareTargets[target];
  return new WireWriter().integer(2, code).bytes(3, Buffer.from(key)).integer(field, value);
}

function transaction(key: string, expectedModRevision: number, success: WireWriter): Buffer {
  const read = new WireWriter().message(operations.range, rangeRequest({ key: Buffer.from(key) }));
  return new WireWriter()
    .message(1, compare('modRevision', key, expectedModRevision))
    .message(2, success)
    .message(3, read)
    .finish();
}

/** Puts if the key has been written `expectedVersion` times, else reads it. */
export function versionedPutTransaction(key: string, value: string, expectedVersion: number): Buffer {
  const put = new WireWriter().bytes(1, Buffer.from(key)).bytes(2, Buffer.from(value));
  return new WireWriter()
    .message(1, compare('version', key, expectedVersion))
    .message(2, new WireWriter().message(operations.put, put))
    .message(3, new WireWriter().message(operations.range, rangeRequest({ key: Buffer.from(key) })))
    .finish();
}

/** `physical`: etcd answers when it has deleted what is no longer readable. */
export function compactionRequest(revision: number, { physical = false } = {}): Buffer {
  const writer = new WireWriter().integer(1, revision);
  return (physical ? writer.integer(2, 1) : writer).finish();
}

export function leaseGrantRequest(ttlSeconds: number): Buffer {
  return new WireWriter().integer(1, ttlSeconds).finish();
}

/** With previous values, fragmented responses and periodic progress. */
export function watchCreateRequest(start: Uint8Array, end: Uint8Array, startRevision: number): Buffer {
  const create = new WireWriter()
    .bytes(1, start)
    .bytes(2, end)
    .integer(3, startRevision)
    .integer(4, 1)
    .integer(6, 1)
    .integer(8, 1);
  return new WireWriter().message(1, create).finish();
}

export function watchProgressRequest(): Buffer {
  return new WireWriter().message(3, new WireWriter()).finish();
}
