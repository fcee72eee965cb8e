import { mkdir, open as openFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '../../api/time/clock.ts';
import {
  type DeleteRequest,
  type GetResult,
  type KeyValue,
  prefixEnd,
  type PutRequest,
  type RangeRequest,
  type RangeResult,
  StorageError,
  type StorageWatch,
  type WatchRequest,
  type WatchSink,
  type WriteResult,
} from '../contract.ts';
import { checkMessageSize } from '../message-limit.ts';
import type { SharedEngine, Sharing } from '../sharing.ts';
import type { StoreUpkeep } from '../upkeep.ts';
import { GroupWriter, type WriteIntent } from './group-writer.ts';
import type { LogHistoryLimits } from './history.ts';
import { LogClient } from './log-client.ts';
import { MemoryLog } from './memory-log.ts';
import type { LogRow, OpenedLog } from './protocol.ts';
import { LogError, type RevisionLog } from './revision-log.ts';
import { unpackRows } from './row-block.ts';
import { encodeSnapshot } from './snapshot-file/format.ts';
import { type Earlier, earlierOf, everyKey, readRange } from './snapshot.ts';
import { StoreState } from './state.ts';
import { contentOfLog, keyValueOf, type StoreContent } from './store-content.ts';
import { sizeOfFiles, storeFile } from './store-file.ts';
import { EmbeddedUpkeep } from './upkeep.ts';
import { changesOf, compactedError, WatchFeed } from './watch-feed.ts';

export interface EmbeddedOptions {
  /** Created if missing. Used by one process at a time. Undefined: the store is in memory only. */
  readonly dataDir: string | undefined;
  /** false: acknowledged writes survive the end of the process, but not that of the machine. */
  readonly syncs?: boolean;
  /** The bundled worker.ts, if it is not beside this file. */
  readonly workerUrl?: URL;
  readonly clock?: Clock;
  readonly history?: Partial<LogHistoryLimits>;
  /** Maximum size of key and value together. */
  readonly maxWriteBytes?: number;
}

interface OpenedOptions extends EmbeddedOptions {
  /** Undefined: in memory. */
  readonly path: string | undefined;
  readonly syncs: boolean;
}

/** A snapshot file, generated while it is read. */
export interface TakenSnapshot {
  /** How many it contains. */
  readonly keys: number;
  readonly chunks: Iterable<Uint8Array>;
}

export interface EmbeddedStorage extends SharedEngine {
  /**
   * A copy of the current store in the format of `snapshot-file/format.ts`: exactly what reads see now, whatever is
   * written while it is consumed. Keeps values replaced meanwhile in memory; needs no disk space.
   */
  takeSnapshot(): TakenSnapshot;
  readonly upkeep: StoreUpkeep;
  /** What it contains now, for `openMemoryStorage`. */
  content(): Promise<StoreContent>;
}

/** Opens a store in memory, empty unless with the content of another one. */
export function openMemoryStorage(
  content: StoreContent = emptyContent,
  options: Pick<EmbeddedOptions, 'clock' | 'maxWriteBytes' | 'history'> = {},
): EmbeddedStorage {
  const state = new StoreState(content, { ...memoryHistoryLimits, ...options.history }, true);
  return new Engine({ ...options, dataDir: undefined, path: undefined, syncs: false }, new MemoryLog(), state);
}

const emptyContent: StoreContent = { ...contentOfLog([], { revision: 1, compacted: 0 }), eventsAfter: 0 };

/** Opens the store and loads its contents. */
export async function openEmbeddedStorage(options: EmbeddedOptions): Promise<EmbeddedStorage> {
  if (options.dataDir === undefined) return openMemoryStorage(emptyContent, options);
  await makeDirectory(options.dataDir);
  const path = join(options.dataDir, storeFile);
  const rows: LogRow[] = [];
  const { workerUrl, syncs = true } = options;
  try {
    const { client, opened } = await LogClient.open({
      path,
      syncs,
      workerUrl,
      rows: (block) => block.forEach((row) => rows.push(row)),
    });
    return new Engine(
      { ...options, path, syncs },
      client,
      new StoreState(contentOfLog(rows, opened), { ...historyLimits, ...options.history }),
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StorageError('unavailable', `cannot open the store in ${options.dataDir}: ${why}`, {
      cause: error,
    });
  }
}

const historyLimits: LogHistoryLimits = { events: 10_000, supersededBytes: 16 << 20 };
/** All there is, so more than what changes in a test between two compactions. */
const memoryHistoryLimits: LogHistoryLimits = { events: 200_000, supersededBytes: 128 << 20 };
/** etcd's --max-request-bytes. */
const defaultMaxWriteBytes = 1.5 * 1024 * 1024;
/** Between turns of deletions. */
const leastWaitMs = 500;
/** A clock that is set forward is noticed after so long. */
const longestWaitMs = 5000;

class Engine implements EmbeddedStorage {
  readonly #options: OpenedOptions;
  readonly #clock: Clock;
  readonly #state: StoreState;
  readonly #writer: GroupWriter;
  readonly #watches: WatchFeed;
  readonly #following: Disposable | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #log: RevisionLog;
  #reopening: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: OpenedOptions, log: RevisionLog, state: StoreState) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = log;
    this.#state = state;
    this.#writer = new GroupWriter(state, { ready: () => this.#connect(), append: (rows) => this.#log.append(rows) });
    this.#watches = new WatchFeed(state, (request) => this.#call((log) => log.changes(request)));
    state.expirations.onSooner = () => this.#awaitExpiry();
    this.#following = this.#clock.onJump?.(() => this.#expire());
    this.#awaitExpiry();
  }

  async get(key: string, options?: { readonly revision?: number }): Promise<GetResult> {
    const { snapshot } = this.#state;
    const at = options?.revision;
    if (at === undefined || at === snapshot.revision)
      return { kv: snapshot.keys.get(key), revision: snapshot.revision };
    const earlier = await this.#earlier({ start: key, end: `${key}\0`, revision: at });
    return { kv: earlier.has(key) ? earlier.get(key) : snapshot.keys.get(key), revision: snapshot.revision };
  }

  async range(request: RangeRequest): Promise<RangeResult> {
    const { snapshot } = this.#state;
    const at = request.revision;
    const earlier =
      at === undefined || at === snapshot.revision ? undefined : await this.#earlier({ ...request, revision: at });
    return { ...readRange(snapshot, request, earlier), revision: snapshot.revision };
  }

  async put(request: PutRequest): Promise<WriteResult> {
    const { key, value, expectedModRevision, ttlSeconds } = request;
    checkMessageSize(key.length + value.length);
    const limit = this.#options.maxWriteBytes ?? defaultMaxWriteBytes;
    if (key.length + value.length > limit) throw new StorageError('too-large', 'etcdserver: request is too large');
    const expiresAtMs = ttlSeconds === undefined ? 0 : this.#clock.now() + ttlSeconds * 1000;
    return this.#write({ key, value: this.#state.ownValue(value), expectedModRevision, expiresAtMs });
  }

  async delete(request: DeleteRequest): Promise<WriteResult> {
    return this.#write({ ...request, value: undefined, expiresAtMs: 0 });
  }

  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    const watch = this.#watches.watch(request, sink);
    if (this.#closed !== undefined) this.#watches.fail(closedError());
    return watch;
  }

  async currentRevision(): Promise<number> {
    return this.#state.snapshot.revision;
  }

  async compact(revision: number): Promise<void> {
    this.#refuseUnreadable(revision);
    if (revision <= this.#state.compacted) throw compactedError(this.#state.compacted);
    await this.#call((log) => log.compact(revision));
    this.#state.compactAt(revision);
  }

  get compactedRevision(): number {
    return this.#state.compacted;
  }

  sizeOf(key: string): number | undefined {
    return this.#state.snapshot.keys.get(key)?.value.length;
  }

  holdsLarger(prefix: string, bytes: number): boolean {
    return this.#state.snapshot.keys.slice(prefix, prefixEnd(prefix)).some(({ value }) => value.length > bytes);
  }

  shareWith(sharing: Sharing): void {
    this.#state.shareWith(sharing);
  }

  content(): Promise<StoreContent> {
    return this.#state.content();
  }

  takeSnapshot(): TakenSnapshot {
    const { revision, keys } = this.#state.snapshot;
    const chunks = encodeSnapshot(revision, this.#state.rows());
    return { keys: keys.count(everyKey.start, everyKey.end), chunks };
  }

  get upkeep(): StoreUpkeep {
    const { path } = this.#options;
    return new EmbeddedUpkeep({
      storage: this,
      slice: () => this.#call((log) => log.slice()),
      defragment: () => this.#call((log) => log.defragment()),
      sizeBytes: () => (path === undefined ? 0 : sizeOfFiles(path)),
    });
  }

  async check(): Promise<void> {
    await this.#connect();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#expiry);
    this.#following?.[Symbol.dispose]();
    await this.#writer.idle();
    this.#watches.fail(closedError());
    await this.#reopening?.catch(() => undefined);
    await this.#log.close();
  }

  #write(intent: WriteIntent): Promise<WriteResult> {
    // The common case is synchronous up to the queue, so that revisions follow the order of calls.
    if (this.#log.ended === undefined && this.#reopening === undefined && this.#closed === undefined)
      return this.#writer.write(intent);
    return this.#connect().then(() => this.#writer.write(intent));
  }

  /** The earlier state of keys in the range, where it differs from the current snapshot. */
  async #earlier(request: RangeRequest & { readonly revision: number }): Promise<Earlier> {
    const { revision, start, end } = request;
    this.#refuseUnreadable(revision);
    if (revision >= this.#state.history.floor) return earlierOf(this.#state.history.after(revision), request);
    const untilRevision = this.#state.snapshot.revision;
    const { rows, absent } = await this.#call((log) => log.earlier({ revision, untilRevision, start, end }));
    // Compacted meanwhile: rows may be missing.
    this.#refuseUnreadable(revision);
    const earlier = new Map<string, KeyValue | undefined>(absent.map((key) => [key, undefined]));
    for (const row of unpackRows(rows)) earlier.set(row.key, keyValueOf(row));
    return earlier;
  }

  #refuseUnreadable(revision: number): void {
    const { compacted, snapshot } = this.#state;
    if (revision < compacted) throw compactedError(compacted);
    if (revision <= snapshot.revision) return;
    const message = `required revision ${revision} is a future revision; the current is ${snapshot.revision}`;
    throw new StorageError('future-revision', message, { revision: snapshot.revision });
  }

  async #call<Answer>(call: (log: RevisionLog) => Promise<Answer>): Promise<Answer> {
    await this.#connect();
    try {
      return await call(this.#log);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      throw new StorageError('unavailable', `the store cannot be read or compacted now: ${error.message}`, {
        cause: error,
      });
    }
  }

  /** Reopens the log if its thread has ended. */
  async #connect(): Promise<void> {
    if (this.#closed !== undefined) throw closedError();
    if (this.#log.ended === undefined && this.#reopening === undefined) return;
    this.#reopening ??= this.#reopen().finally(() => (this.#reopening = undefined));
    await this.#reopening;
  }

  /** Writes that became durable without confirmation (their callers got `unknown`) become visible now. */
  async #reopen(): Promise<void> {
    const { path, syncs, workerUrl } = this.#options;
    if (path === undefined) return;
    try {
      await this.#log.close();
      const { client, opened } = await LogClient.open({ path, syncs, workerUrl });
      this.#log = client;
      await this.#takeMissed(client, opened);
      this.#writer.resume();
    } catch (error) {
      throw new StorageError('unavailable', `the store cannot be reopened: ${String(error)}`, { cause: error });
    }
  }

  async #takeMissed(log: RevisionLog, opened: OpenedLog): Promise<void> {
    const { revision } = this.#state.snapshot;
    if (opened.revision < revision)
      throw new Error(`it has been replaced: it ends at revision ${opened.revision}, but ${revision} was acknowledged`);
    while (this.#state.snapshot.revision < opened.revision) {
      const afterRevision = this.#state.snapshot.revision;
      const request = { ...everyKey, afterRevision, untilRevision: opened.revision };
      const changes = changesOf(await log.changes({ ...request, sizeBytes: 4 << 20 }));
      if (changes.length === 0) throw new Error(`revision ${afterRevision + 1} is missing from the log`);
      this.#state.apply(changes);
    }
  }

  /** One timer for the next expiry: a store at rest takes no time. */
  #awaitExpiry(): void {
    clearTimeout(this.#expiry);
    const { nextMs } = this.#state.expirations;
    if (nextMs === Infinity || this.#closed !== undefined) return;
    const waitMs = Math.min(Math.max(nextMs - this.#clock.now(), leastWaitMs), longestWaitMs);
    this.#expiry = setTimeout(() => this.#expire(), waitMs).unref();
  }

  #expire(): void {
    const now = this.#clock.now();
    for (const expiry of this.#state.expirations.take(now)) {
      const { key, modRevision } = expiry;
      this.#write({ key, value: undefined, expectedModRevision: modRevision, expiresAtMs: 0 })
        // Retried at the next turn: the store is full or closing.
        .catch(() => this.#state.expirations.add({ ...expiry, expiresAtMs: now }))
        .finally(() => this.#state.expirations.settle(expiry));
    }
    this.#awaitExpiry();
  }
}

function closedError(): StorageError {
  return new StorageError('closed', 'the store has been closed');
}

async function makeDirectory(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made === undefined || process.platform === 'win32') return;
  // A new directory survives a power failure only if its parent is synced.
  const parent = await openFile(dirname(made), 'r');
  await parent.sync().finally(() => parent.close());
}
