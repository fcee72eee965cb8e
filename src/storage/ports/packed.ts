import type { KeyValue, StorageEvent } from '../contract.ts';
import { type BlockMemory, type BlockSlice, valueAt } from './shared-blocks.ts';

/** Keys and values, or changes of keys: a message with them is two buffers, whatever their number. */
export interface Packed {
  /** `kvFields` or `eventFields` numbers each. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Their keys, concatenated. */
  readonly keys: Uint8Array<ArrayBuffer>;
}

/** Tells the place of a value, which is in shared memory from then on. */
export type Placing = (value: Uint8Array) => BlockSlice;

/** Bytes of the key, modRevision, createRevision, place of the value. */
const kvFields = 6;
/** Bytes of the key, revision, place of the new value, modRevision and createRevision before, place of that value. */
const eventFields = 10;
/** In place of a length: there is no value. */
const none = -1;

export function packKeyValues(kvs: readonly KeyValue[], placeOf: Placing): Packed {
  const numbers = new Float64Array(kvs.length * kvFields);
  let at = 0;
  for (const { value, modRevision, createRevision } of kvs) {
    numbers[at + 1] = modRevision;
    numbers[at + 2] = createRevision;
    setPlace(numbers, at + 3, placeOf(value));
    at += kvFields;
  }
  return { numbers, keys: packKeys(kvs, numbers, kvFields) };
}

export function unpackKeyValues({ numbers, keys }: Packed, memory: BlockMemory): KeyValue[] {
  const kvs: KeyValue[] = [];
  const key = keyReader(keys);
  for (let at = 0; at < numbers.length; at += kvFields) {
    kvs.push({
      key: key(numbers[at]!),
      value: valueAt(memory, placeAt(numbers, at + 3)),
      modRevision: numbers[at + 1]!,
      createRevision: numbers[at + 2]!,
    });
  }
  return kvs;
}

export function packEvents(events: readonly StorageEvent[], placeOf: Placing): Packed {
  const numbers = new Float64Array(events.length * eventFields);
  let at = 0;
  for (const { revision, value, previous } of events) {
    numbers[at + 1] = revision;
    setPlace(numbers, at + 2, value && placeOf(value));
    numbers[at + 5] = previous?.modRevision ?? 0;
    numbers[at + 6] = previous?.createRevision ?? 0;
    setPlace(numbers, at + 7, previous && placeOf(previous.value));
    at += eventFields;
  }
  return { numbers, keys: packKeys(events, numbers, eventFields) };
}

export function unpackEvents({ numbers, keys }: Packed, memory: BlockMemory): StorageEvent[] {
  const events: StorageEvent[] = [];
  const nextKey = keyReader(keys);
  for (let at = 0; at < numbers.length; at += eventFields) {
    const key = nextKey(numbers[at]!);
    const value = valueIn(numbers, at + 2, memory);
    const before = valueIn(numbers, at + 7, memory);
    events.push({
      type: value === undefined ? 'delete' : 'put',
      key,
      revision: numbers[at + 1]!,
      value,
      previous:
        before === undefined
          ? undefined
          : { key, value: before, modRevision: numbers[at + 5]!, createRevision: numbers[at + 6]! },
    });
  }
  return events;
}

export function buffersOf({ numbers, keys }: Packed): ArrayBuffer[] {
  return [numbers.buffer, keys.buffer];
}

/** Writes their lengths as the first of each one's numbers. */
function packKeys(
  items: readonly { readonly key: string }[],
  numbers: Float64Array,
  fields: number,
): Uint8Array<ArrayBuffer> {
  let sizeBytes = 0;
  for (const { key } of items) sizeBytes += Buffer.byteLength(key);
  const keys = Buffer.from(new ArrayBuffer(sizeBytes));
  let written = 0;
  let at = 0;
  for (const { key } of items) {
    const length = keys.write(key, written);
    numbers[at] = length;
    written += length;
    at += fields;
  }
  return keys;
}

function keyReader(keys: Uint8Array<ArrayBuffer>): (length: number) => string {
  const bytes = Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength);
  let read = 0;
  return (length) => bytes.toString('utf8', read, (read += length));
}

function setPlace(numbers: Float64Array, at: number, place: BlockSlice | undefined): void {
  numbers[at] = place?.block ?? 0;
  numbers[at + 1] = place?.offset ?? 0;
  numbers[at + 2] = place?.length ?? none;
}

function placeAt(numbers: Float64Array, at: number): BlockSlice {
  return { block: numbers[at]!, offset: numbers[at + 1]!, length: numbers[at + 2]! };
}

function valueIn(numbers: Float64Array, at: number, memory: BlockMemory): Uint8Array | undefined {
  const place = placeAt(numbers, at);
  return place.length === none ? undefined : valueAt(memory, place);
}
