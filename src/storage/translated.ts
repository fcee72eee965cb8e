import type {
  DeleteRequest,
  GetResult,
  KeyValue,
  PutRequest,
  RangeRequest,
  RangeResult,
  Storage,
  StorageEvent,
  StorageWatch,
  UnreadableReason,
  WatchRequest,
  WatchSink,
  WriteResult,
} from './contract.ts';
import { EncryptionError } from './encryption/transformer.ts';
import { LayeredStorage } from './layered.ts';
import { readAll } from './read-all.ts';

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
  return new TranslatedStorage(storage, translation, onUnreadable);
}

/** A class, because there is one for each resource: it costs three fields, not a closure per method. */
class TranslatedStorage extends LayeredStorage {
  readonly #translation: Translation;
  readonly #onUnreadable: () => void;

  constructor(storage: Storage, translation: Translation, onUnreadable: () => void) {
    super(storage);
    this.#translation = translation;
    this.#onUnreadable = onUnreadable;
  }

  override async get(key: string, options?: Parameters<Storage['get']>[1]): Promise<GetResult> {
    const { kv, revision } = await this.below.get(key, options);
    return { kv: this.#readIfAny(kv), revision };
  }

  override async range(request: RangeRequest): Promise<RangeResult> {
    const result = await this.below.range(request);
    return { ...result, kvs: await readAll(result.kvs, (kv) => this.#read(kv)) };
  }

  override async put(request: PutRequest): Promise<WriteResult> {
    const value = this.#translation.write(request.value);
    return this.#readWritten(await this.below.put({ ...request, value }));
  }

  override async delete(request: DeleteRequest): Promise<WriteResult> {
    return this.#readWritten(await this.below.delete(request));
  }

  override watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    return this.below.watch(request, {
      events: (events) => sink.events(events.map((event) => this.#readEvent(event))),
      progress: (revision) => sink.progress(revision),
      failed: (error) => sink.failed(error),
      ...(sink.moved === undefined ? {} : { moved: (kvs) => sink.moved?.(this.#readMoved(kvs)) }),
    });
  }

  /** Without those that are not the stored bytes above the store: they have not moved. */
  #readMoved(kvs: readonly KeyValue[]): KeyValue[] {
    return kvs.flatMap((kv) => {
      const { value } = this.#readValue(kv.value);
      return value.buffer === kv.value.buffer ? [{ ...kv, value }] : [];
    });
  }

  #readValue(value: Uint8Array): ReadValue & Pick<KeyValue, 'unreadable'> {
    try {
      return this.#translation.read(value);
    } catch (error) {
      if (error instanceof EncryptionError) return { value, unreadable: reasonOf('untransformable', error) };
      this.#onUnreadable();
      return { value, unreadable: reasonOf('undecodable', error) };
    }
  }

  #read(kv: KeyValue): KeyValue {
    if (kv.unreadable !== undefined) return kv;
    const { storedBytes = kv.value.byteLength, stale: isStale = false } = kv;
    const read = this.#readValue(kv.value);
    return { ...kv, ...read, ...(isStale ? { stale: true } : {}), storedBytes };
  }

  #readIfAny(kv: KeyValue | undefined): KeyValue | undefined {
    return kv === undefined ? undefined : this.#read(kv);
  }

  #readEvent(event: StorageEvent): StorageEvent {
    const { value, previous } = event;
    if (value === undefined) return previous === undefined ? event : { ...event, previous: this.#read(previous) };
    if (event.unreadable !== undefined) return { ...event, previous: this.#readIfAny(previous) };
    const { value: above, unreadable } = this.#readValue(value);
    const why = unreadable === undefined ? {} : { unreadable };
    const { storedBytes = value.byteLength } = event;
    return { ...event, ...why, storedBytes, value: above, previous: this.#readIfAny(previous) };
  }

  #readWritten(result: WriteResult): WriteResult {
    return result.succeeded ? result : { ...result, current: this.#readIfAny(result.current) };
  }
}

function reasonOf(kind: UnreadableReason['kind'], error: unknown): UnreadableReason {
  return { kind, message: error instanceof Error ? error.message : String(error) };
}
