import { type Soon, soon } from '../../api/scheduling/soon.ts';
import {
  type DeleteRequest,
  type GetResult,
  type KeyValue,
  type PutRequest,
  type RangeRequest,
  type RangeResult,
  type Storage,
  StorageError,
  type StorageEvent,
  type StorageWatch,
  type WatchRequest,
  type WatchSink,
  type WriteResult,
} from '../contract.ts';
import { LayeredStorage } from '../layered.ts';
import { ownBytes } from '../own-bytes.ts';
import { readAll } from '../read-all.ts';
import { endOfRound } from '../../api/scheduling/end-of-round.ts';
import { joinedPieces } from './joined-pieces.ts';
import { OrderedSink } from './ordered-sink.ts';
import { RecentValues } from './recent-values.ts';
import { EncryptionError, KeyServiceError, type ValueTransformer } from './transformer.ts';

/** How the values of one resource are encrypted. */
export interface ResourceEncryption extends ValueTransformer {
  /** `secrets`, `deployments.apps` */
  readonly resource: string;
  /** Calls back whenever values have to be read anew: other keys are known now. */
  onChange(changed: () => void): Disposable;
  /** Calls back whenever a service that knows keys answers again. */
  onRecovery(recovered: () => void): Disposable;
}

/** After a failure of the service that knows the keys, watches begin anew so much later, unless it answers earlier. */
const retryMs = 5_000;

/**
 * A store whose values are encrypted. One that cannot be decrypted is passed on as it is with the reason: others are
 * unaffected. When keys change, watches end: their users read everything anew.
 */
export class EncryptedStorage extends LayeredStorage {
  readonly #encryption: ResourceEncryption;
  readonly #recent = new RecentValues();
  readonly #watches = new Map<OrderedSink, StorageWatch>();
  /** Only while there are watches: stores of kinds that come and go are not known to anybody. */
  #changes: readonly Disposable[] = [];
  #retry: NodeJS.Timeout | undefined;

  constructor(below: Storage, encryption: ResourceEncryption) {
    super(below);
    this.#encryption = encryption;
  }

  override async get(key: string, options?: Parameters<Storage['get']>[1]): Promise<GetResult> {
    const { kv, revision } = await this.below.get(key, options);
    if (kv !== undefined) await endOfRound();
    return { kv: await this.#readIfAny(kv), revision };
  }

  override async range(request: RangeRequest): Promise<RangeResult> {
    const result = await this.below.range(request);
    return { ...result, kvs: await readAll(result.kvs, (kv) => this.#read(kv)) };
  }

  override async put(request: PutRequest): Promise<WriteResult> {
    await endOfRound();
    const encrypted = this.#encrypted(request);
    const value = encrypted instanceof Promise ? await encrypted : encrypted;
    this.#recent.add(request.key, { stored: value, value: ownBytes(request.value) });
    return this.#seen(await this.below.put({ ...request, value }));
  }

  override async delete(request: DeleteRequest): Promise<WriteResult> {
    return this.#seen(await this.below.delete(request));
  }

  override watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    const ordered = new OrderedSink(
      { ...passedOn(sink), failed: (error) => this.#ended(ordered, () => sink.failed(error)) },
      (event) => this.#readEvent(event),
    );
    const watch = this.below.watch(request, ordered);
    this.#watches.set(ordered, watch);
    if (this.#changes.length === 0) this.#changes = this.#listen();
    return {
      requestProgress: () => watch.requestProgress(),
      cancel: () => this.#ended(ordered, () => watch.cancel()),
    };
  }

  override [Symbol.asyncDispose](): PromiseLike<void> {
    this.#stopListening();
    clearTimeout(this.#retry);
    return super[Symbol.asyncDispose]();
  }

  #encrypted({ key, value }: PutRequest): Soon<Buffer> {
    try {
      const pieces = this.#encryption.write(value, this.#placeOf(key));
      return pieces instanceof Promise ? pieces.then(joinedPieces, unencryptable) : joinedPieces(pieces);
    } catch (error) {
      return unencryptable(error);
    }
  }

  /** A write is complete when the watches of this process have received it. */
  async #seen(result: WriteResult): Promise<WriteResult> {
    const pending: Promise<void>[] = [];
    for (const sink of this.#watches.keys()) if (sink.pending !== undefined) pending.push(sink.pending);
    if (pending.length > 0) await Promise.all(pending);
    return result.succeeded ? result : { ...result, current: await this.#readIfAny(result.current) };
  }

  #readIfAny(kv: KeyValue | undefined): Soon<KeyValue | undefined> {
    return kv === undefined ? undefined : this.#read(kv);
  }

  #read(kv: KeyValue): Soon<KeyValue> {
    const storedBytes = kv.value.byteLength;
    const unreadable = (error: unknown): KeyValue => ({ ...kv, storedBytes, unreadable: this.#reasonOf(error) });
    try {
      const opened = this.#encryption.read(kv.value, this.#placeOf(kv.key));
      const read = soon(opened, ({ value, stale }): KeyValue => {
        this.#recent.add(kv.key, { stored: kv.value, value });
        return { ...kv, value, stale, storedBytes };
      });
      return read instanceof Promise ? read.catch(unreadable) : read;
    } catch (error) {
      return unreadable(error);
    }
  }

  /** Nobody asks whether what an event shows is stale. */
  #readSeen(kv: KeyValue): Soon<KeyValue> {
    const value = this.#recent.find(kv.key, kv.value);
    return value === undefined ? this.#read(kv) : { ...kv, value, storedBytes: kv.value.byteLength };
  }

  #readEvent(event: StorageEvent): Soon<StorageEvent> {
    const { key, value, revision, previous } = event;
    const before = previous === undefined ? undefined : this.#readSeen(previous);
    return soon(before, (known): Soon<StorageEvent> => {
      if (value === undefined) return { ...event, previous: known };
      const now = this.#readSeen({ key, value, modRevision: revision, createRevision: 0 });
      return soon(now, ({ value: opened, unreadable, storedBytes }) => ({
        ...event,
        ...(unreadable === undefined ? {} : { unreadable }),
        ...(storedBytes === undefined ? {} : { storedBytes }),
        value: opened,
        previous: known,
      }));
    });
  }

  #reasonOf(error: unknown): NonNullable<KeyValue['unreadable']> {
    if (error instanceof KeyServiceError) this.#retryLater();
    return { kind: 'untransformable', message: error instanceof Error ? error.message : String(error) };
  }

  /** What could not be decrypted without the service may be readable when it is back. */
  #retryLater(): void {
    this.#retry ??= setTimeout(() => this.#tryAgain(), retryMs).unref();
  }

  #tryAgain(): void {
    if (this.#retry === undefined) return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#endWatches();
  }

  #listen(): readonly Disposable[] {
    return [this.#encryption.onChange(() => this.#endWatches()), this.#encryption.onRecovery(() => this.#tryAgain())];
  }

  #stopListening(): void {
    for (const listening of this.#changes) listening[Symbol.dispose]();
    this.#changes = [];
  }

  #endWatches(): void {
    for (const [sink, watch] of Array.from(this.#watches)) {
      watch.cancel();
      sink.failed(new StorageError('outdated', 'the encryption of the store has changed'));
    }
  }

  #ended(sink: OrderedSink, then: () => void): void {
    this.#watches.delete(sink);
    if (this.#watches.size === 0) {
      this.#stopListening();
    }
    sink.end();
    then();
  }

  #placeOf(key: string): { readonly key: string; readonly resource: string } {
    return { key, resource: this.#encryption.resource };
  }
}

function unencryptable(error: unknown): never {
  if (!(error instanceof EncryptionError)) throw error;
  throw new StorageError('unencryptable', error.message, { cause: error });
}

function passedOn(sink: WatchSink): Pick<WatchSink, 'events' | 'progress'> {
  return { events: (events) => sink.events(events), progress: (revision) => sink.progress(revision) };
}
