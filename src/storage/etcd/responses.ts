import { WireReader } from '../../api/bytes/wire-reader.ts';
import type { KeyValue, StorageEvent } from '../contract.ts';

/** Decodes etcd v3 responses. Values are views of the response. */

/** An etcd KeyValue. */
export interface StoredKey extends KeyValue {
  /** Number of puts since the key was created. */
  readonly version: number;
}

/** Calls `field` for each field; fields it does not read are skipped. */
function readFields(bytes: Uint8Array, fields: Readonly<Record<number, (reader: WireReader) => void>>): void {
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    const read = fields[number];
    if (read === undefined) reader.skip(wireType);
    else read(reader);
  }
}

/** The revision in a ResponseHeader. */
function readHeader(bytes: Uint8Array): number {
  let revision = 0;
  readFields(bytes, { 3: (reader) => (revision = reader.integer()) });
  return revision;
}

/** The header is field 1 of every response. */
export function readRevision(bytes: Uint8Array): number {
  let revision = 0;
  readFields(bytes, { 1: (reader) => (revision = readHeader(reader.bytes())) });
  return revision;
}

function decodedText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

const noBytes = new Uint8Array();

function readKeyValue(bytes: Uint8Array): StoredKey {
  const reader = new WireReader(bytes);
  let key = '';
  let value: Uint8Array = noBytes;
  let createRevision = 0;
  let modRevision = 0;
  let version = 0;
  // Lists have thousands of these: no table of closures here.
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    if (number === 1) key = decodedText(reader.bytes());
    else if (number === 2) createRevision = reader.integer();
    else if (number === 3) modRevision = reader.integer();
    else if (number === 4) version = reader.integer();
    else if (number === 5) value = reader.bytes();
    else reader.skip(wireType);
  }
  return { key, value, modRevision, createRevision, version };
}

export interface RangeResponse {
  readonly revision: number;
  readonly kvs: readonly StoredKey[];
  readonly more: boolean;
  readonly count: number;
}

export function readRangeResponse(bytes: Uint8Array): RangeResponse {
  const kvs: StoredKey[] = [];
  const response = { revision: 0, kvs, more: false, count: 0 };
  readFields(bytes, {
    1: (reader) => (response.revision = readHeader(reader.bytes())),
    2: (reader) => kvs.push(readKeyValue(reader.bytes())),
    3: (reader) => (response.more = reader.integer() !== 0),
    4: (reader) => (response.count = reader.integer()),
  });
  return response;
}

export interface TransactionResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** Result of the range operation, if the transaction ran one. */
  readonly found: StoredKey | undefined;
}

export function readTransactionResponse(bytes: Uint8Array): TransactionResponse {
  let revision = 0;
  let succeeded = false;
  let found: StoredKey | undefined;
  readFields(bytes, {
    1: (reader) => (revision = readHeader(reader.bytes())),
    2: (reader) => (succeeded = reader.integer() !== 0),
    3: (operation) =>
      readFields(operation.bytes(), { 1: (range) => (found ??= readRangeResponse(range.bytes()).kvs[0]) }),
  });
  return { revision, succeeded, found };
}

export interface LeaseGrantResponse {
  readonly id: bigint;
  /** Why there is no lease; empty on success. */
  readonly error: string;
}

export function readLeaseGrantResponse(bytes: Uint8Array): LeaseGrantResponse {
  const response = { id: 0n, error: '' };
  readFields(bytes, {
    2: (reader) => (response.id = reader.varint()),
    4: (reader) => (response.error = decodedText(reader.bytes())),
  });
  return response;
}

export interface StatusResponse {
  /** Version of the responding member: `3.6.1`. */
  readonly version: string;
  readonly databaseBytes: number;
  readonly isLeader: boolean;
}

export function readStatusResponse(bytes: Uint8Array): StatusResponse {
  const response = { version: '', databaseBytes: 0 };
  let [member, leader] = [0n, 0n];
  readFields(bytes, {
    1: (header) => readFields(header.bytes(), { 2: (reader) => (member = reader.varint()) }),
    2: (reader) => (response.version = decodedText(reader.bytes())),
    3: (reader) => (response.databaseBytes = reader.integer()),
    4: (reader) => (leader = reader.varint()),
  });
  return { ...response, isLeader: leader === member };
}

export interface WatchResponse {
  readonly revision: number;
  /** The watch; -1: all watches of the stream, in response to a progress request. */
  readonly watchId: number;
  readonly created: boolean;
  readonly canceled: boolean;
  /** Why the watch was cancelled. */
  readonly reason: string;
  /** Nonzero if the watch started before this revision, which is compacted. */
  readonly compactRevision: number;
  /** More of the same batch follows. */
  readonly fragment: boolean;
  /** Up to the first event whose previous value is lost. */
  readonly events: readonly StorageEvent[];
  /** The previous value of an event was compacted in the meantime. */
  readonly previousLost: boolean;
}

export function readWatchResponse(bytes: Uint8Array): WatchResponse {
  const events: StorageEvent[] = [];
  const response = {
    revision: 0,
    watchId: 0,
    created: false,
    canceled: false,
    reason: '',
    compactRevision: 0,
    fragment: false,
    events,
    previousLost: false,
  };
  readFields(bytes, {
    1: (reader) => (response.revision = readHeader(reader.bytes())),
    2: (reader) => (response.watchId = reader.integer()),
    3: (reader) => (response.created = reader.integer() !== 0),
    4: (reader) => (response.canceled = reader.integer() !== 0),
    5: (reader) => (response.compactRevision = reader.integer()),
    6: (reader) => (response.reason = decodedText(reader.bytes())),
    7: (reader) => (response.fragment = reader.integer() !== 0),
    11: (reader) => {
      const event = readEvent(reader.bytes());
      response.previousLost ||= event === undefined;
      if (event !== undefined && !response.previousLost) events.push(event);
    },
  });
  return response;
}

/**
 * Copies the values: a view would keep the whole response in memory, with previous values and all other events.
 * Undefined if etcd no longer has the previous value.
 */
function readEvent(bytes: Uint8Array): StorageEvent | undefined {
  let deleted = false;
  let kv: StoredKey | undefined;
  let previous: StoredKey | undefined;
  readFields(bytes, {
    1: (reader) => (deleted = reader.integer() === 1),
    2: (reader) => (kv = readKeyValue(reader.bytes())),
    3: (reader) => (previous = readKeyValue(reader.bytes())),
  });
  const { key = '', modRevision: revision = 0, createRevision, value = noBytes } = kv ?? {};
  if (previous === undefined && (deleted || createRevision !== revision)) return undefined;
  return {
    type: deleted ? 'delete' : 'put',
    key,
    revision,
    value: deleted ? undefined : ownBytes(value),
    previous: previous === undefined ? undefined : { ...previous, value: ownBytes(previous.value) },
  };
}

function ownBytes(value: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(value.byteLength);
  copy.set(value);
  return copy;
}
