import { Turns } from '../api/turns.ts';
import type { KeyValue, Storage, StorageEvent, WriteResult } from './contract.ts';

/** Converts between stored values and those above the store. */
export interface Translation {
  /** Decodes a stored value; an error says why it is unreadable. */
  read(value: Uint8Array): ReadValue;
  /** Encodes a value for the store. */
  write(value: Uint8Array): Uint8Array;
}

export type ReadValue = Pick<KeyValue, 'value' | 'stale'>;

/**
 * A store with translated values. An unreadable value is passed on unchanged with the reason, and told: others are
 * unaffected.
 */
export function translated(storage: Storage, translation: Translation, onUnreadable = (): void => undefined): Storage {
  const readValue = (value: Uint8Array): ReadValue & Pick<KeyValue, 'unreadable'> => {
    try {
      return translation.read(value);
    } catch (error) {
      onUnreadable();
      return { value, unreadable: error instanceof Error ? error.message : String(error) };
    }
  };
  const read = (kv: KeyValue): KeyValue => ({
    ...kv,
    ...readValue(kv.value),
    storedBytes: kv.value.byteLength,
  });
  const readIfAny = (kv: KeyValue | undefined): KeyValue | undefined => (kv === undefined ? undefined : read(kv));
  const readEvent = (event: StorageEvent): StorageEvent => {
    const { value, previous } = event;
    if (value === undefined) return previous === undefined ? event : { ...event, previous: read(previous) };
    const { value: above, unreadable } = readValue(value);
    const why = unreadable === undefined ? {} : { unreadable };
    const storedBytes = value.byteLength;
    return { ...event, ...why, storedBytes, value: above, previous: readIfAny(previous) };
  };
  const readWritten = (result: WriteResult): WriteResult =>
    result.succeeded ? result : { ...result, current: readIfAny(result.current) };
  return {
    async get(key, options) {
      const { kv, revision } = await storage.get(key, options);
      return { kv: readIfAny(kv), revision };
    },
    async range(request) {
      const result = await storage.range(request);
      return { ...result, kvs: await readAll(result.kvs, read) };
    },
    async put(request) {
      return readWritten(await storage.put({ ...request, value: translation.write(request.value) }));
    },
    async delete(request) {
      return readWritten(await storage.delete(request));
    },
    watch: (request, sink) =>
      storage.watch(request, {
        events: (events) => sink.events(events.map(readEvent)),
        progress: (revision) => sink.progress(revision),
        failed: (error) => sink.failed(error),
      }),
    currentRevision: (options) => storage.currentRevision(options),
    compact: (revision) => storage.compact(revision),
    get compactedRevision() {
      return storage.compactedRevision;
    },
    check: () => storage.check(),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  };
}

/** Some values are slow to read: yields in between. */
async function readAll(kvs: readonly KeyValue[], read: (kv: KeyValue) => KeyValue): Promise<readonly KeyValue[]> {
  const all: KeyValue[] = [];
  const turns = new Turns();
  for (const kv of kvs) {
    if (turns.isOver) await turns.next();
    all.push(read(kv));
  }
  return all;
}
