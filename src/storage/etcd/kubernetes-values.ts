import { Turns } from '../../api/turns.ts';
import {
  type KeyValue,
  type Storage,
  StorageError,
  type StorageEvent,
  type WatchRequest,
  type WatchSink,
  type WriteResult,
} from '../contract.ts';

/** How objects stand in an etcd in protobuf. */
export interface ProtobufValues {
  /** The stored JSON of a value; throws when it is none that is known. */
  read(value: Uint8Array): Uint8Array;
  /** The value of stored JSON; undefined: JSON is what is stored. */
  write(json: Uint8Array): Uint8Array | undefined;
}

/**
 * An etcd's values in the form that kube-apiserver writes and expects them in: its JSON ends in a newline, which ours has not. With equal bytes an update
 * that changes nothing is none, whoever wrote last.
 *
 * | etcd holds | above this |
 * |---|---|
 * | `{...}` and a newline | `{...}` |
 * | `k8s\0...` | what `protobuf.read` makes of it |
 * | anything else | the same |
 */
export function kubernetesValues(storage: Storage, protobuf: ProtobufValues): Storage {
  const read = (kv: KeyValue): KeyValue => {
    if (startsWith(kv.value, protobufMark)) return { ...kv, value: readValue(protobuf, kv) };
    return isJson(kv.value) && kv.value.at(-1) === newline ? { ...kv, value: kv.value.subarray(0, -1) } : kv;
  };
  const readIfAny = (kv: KeyValue | undefined): KeyValue | undefined => (kv === undefined ? undefined : read(kv));
  const readEvent = (event: StorageEvent): StorageEvent => {
    const { key, value, revision, previous } = event;
    const current =
      value === undefined ? undefined : read({ key, value, modRevision: revision, createRevision: 0 }).value;
    return { ...event, value: current, previous: readIfAny(previous) };
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
      return readWritten(await storage.put({ ...request, value: written(request.value, protobuf) }));
    },
    async delete(request) {
      return readWritten(await storage.delete(request));
    },
    watch: (request, sink) => watchRead(storage, { request, sink, readEvent }),
    currentRevision: (options) => storage.currentRevision(options),
    compact: (revision) => storage.compact(revision),
    check: () => storage.check(),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  };
}

interface ReadingWatch {
  readonly request: WatchRequest;
  readonly sink: WatchSink;
  readonly readEvent: (event: StorageEvent) => StorageEvent;
}

/** A watch ends at the first value that cannot be read. */
function watchRead(storage: Storage, { request, sink, readEvent }: ReadingWatch): ReturnType<Storage['watch']> {
  const watch = storage.watch(request, {
    events(events) {
      let readable: readonly StorageEvent[];
      try {
        readable = events.map(readEvent);
      } catch (error) {
        watch.cancel();
        sink.failed(
          error instanceof StorageError ? error : new StorageError('unavailable', String(error), { cause: error }),
        );
        return;
      }
      sink.events(readable);
    },
    progress: (revision) => sink.progress(revision),
    failed: (error) => sink.failed(error),
  });
  return watch;
}

const newline = 0x0a;
const protobufMark = Buffer.from('k8s\0', 'latin1');

function startsWith(value: Uint8Array, mark: Uint8Array): boolean {
  return mark.every((byte, at) => value[at] === byte);
}

function isJson(value: Uint8Array): boolean {
  return value[0] === 0x7b;
}

/** Messages cost much to read: others have their turn in between. */
async function readAll(kvs: readonly KeyValue[], read: (kv: KeyValue) => KeyValue): Promise<readonly KeyValue[]> {
  const all: KeyValue[] = [];
  const turns = new Turns();
  for (const kv of kvs) {
    if (turns.isOver) await turns.next();
    all.push(read(kv));
  }
  return all;
}

function readValue(protobuf: ProtobufValues, { key, value }: KeyValue): Uint8Array {
  try {
    return protobuf.read(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StorageError('unavailable', `the object at ${key} cannot be read: ${why}`, { cause: error });
  }
}

function written(value: Uint8Array, protobuf: ProtobufValues): Uint8Array {
  if (!isJson(value)) return value;
  return protobuf.write(value) ?? Buffer.concat([value, Buffer.of(newline)]);
}
