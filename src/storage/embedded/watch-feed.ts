import { type KeyValue, StorageError, type StorageWatch, type WatchRequest, type WatchSink } from '../contract.ts';
import type { ChangesResponse, ChangesRequest } from './protocol.ts';
import { unpackRows } from './row-block.ts';
import { type LogChange, changeOf, type StoreState } from './state.ts';
import { keyValueOf } from './store-content.ts';
import { Watcher } from './watchers.ts';

type ReadChanges = (request: Omit<ChangesRequest, 'type'>) => Promise<ChangesResponse>;

/** Brings each watch from its start to the present (from the log, then from memory), and keeps it there. */
export class WatchFeed {
  readonly #state: StoreState;
  readonly #readChanges: ReadChanges;
  readonly #running = new Set<Watcher>();
  readonly #behind = new Set<Watcher>();

  constructor(state: StoreState, readChanges: ReadChanges) {
    this.#state = state;
    this.#readChanges = readChanges;
  }

  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    const watcher = new Watcher(request, sink);
    this.#running.add(watcher);
    this.#behind.add(watcher);
    void this.#catchUp(watcher);
    return {
      requestProgress: () => {
        watcher.progressWanted = true;
        queueMicrotask(() => this.#reportProgress(watcher));
      },
      takeIn: () => this.#takeIn(watcher),
      cancel: () => this.#remove(watcher),
    };
  }

  /** Ends all watches. */
  fail(error: StorageError): void {
    for (const watcher of this.#running) this.#end(watcher, error);
  }

  async #catchUp(watcher: Watcher): Promise<void> {
    // The caller gets its handle before the first event.
    await Promise.resolve();
    try {
      while (!watcher.ended && watcher.position < this.#state.history.floor) await this.#replay(watcher);
    } catch (error) {
      this.#end(
        watcher,
        error instanceof StorageError ? error : new StorageError('unavailable', String(error), { cause: error }),
      );
    }
    if (watcher.ended) return;
    watcher.deliver(this.#state.history.after(watcher.position));
    this.#state.watchers.add(watcher);
    this.#behind.delete(watcher);
    this.#reportProgress(watcher);
  }

  async #replay(watcher: Watcher): Promise<void> {
    this.#refuseCompacted(watcher);
    const request = {
      afterRevision: watcher.position,
      untilRevision: this.#state.snapshot.revision,
      start: watcher.request.start,
      end: watcher.request.end,
      sizeBytes: replayBytes,
    };
    const response = await this.#readChanges(request);
    // Compacted meanwhile: rows may be missing.
    this.#refuseCompacted(watcher);
    watcher.deliver(changesOf(response).map((change) => change.event));
    watcher.position = response.scannedRevision;
  }

  #refuseCompacted(watcher: Watcher): void {
    if (watcher.position < this.#state.compacted) throw compactedError(this.#state.compacted);
  }

  /** Other threads are at the latest revision, whatever was changed last: none may show less than they do. */
  #takeIn(watcher: Watcher): void {
    if (!this.#state.isShared || watcher.ended || this.#behind.has(watcher)) return;
    watcher.sink.progress(this.#state.snapshot.revision);
  }

  #reportProgress(watcher: Watcher): void {
    if (!watcher.progressWanted || watcher.ended || this.#behind.has(watcher)) return;
    watcher.progressWanted = false;
    watcher.sink.progress(this.#state.snapshot.revision);
  }

  #end(watcher: Watcher, error: StorageError): void {
    if (watcher.ended) return;
    this.#remove(watcher);
    watcher.sink.failed(error);
  }

  #remove(watcher: Watcher): void {
    watcher.ended = true;
    this.#running.delete(watcher);
    this.#behind.delete(watcher);
    this.#state.watchers.delete(watcher);
  }
}

const replayBytes = 4 << 20;

export function compactedError(revision: number): StorageError {
  return new StorageError('compacted', `required revision has been compacted; the oldest is ${revision}`, { revision });
}

export function changesOf(response: ChangesResponse): LogChange[] {
  const previous = new Map<number, KeyValue>();
  for (const row of unpackRows(response.previous)) {
    const kv = keyValueOf(row);
    if (kv !== undefined) previous.set(row.revision, kv);
  }
  return unpackRows(response.changes).map((row) => changeOf(row, previous.get(row.previousRevision)));
}
