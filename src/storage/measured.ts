import { secondsSince } from '../api/time/seconds-since.ts';
import type {
  CallOptions,
  DeleteRequest,
  GetResult,
  PutRequest,
  RangeRequest,
  RangeResult,
  Storage,
  StorageWatch,
  WatchRequest,
  WatchSink,
  WriteResult,
} from './contract.ts';
import { LayeredStorage } from './layered.ts';

/** The calls to a store, by the names that the reference's metrics have for them. */
export type StoreOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'getCurrentResourceVersion';

/** Counts the use of a store. Must not throw. */
export interface StoreUse {
  /** A call has ended after `seconds`. A failed comparison is not a failure. */
  called(operation: StoreOperation, seconds: number, failed: boolean): void;
  /** A watch has received so many changes. */
  received(events: number): void;
  /** A watch has been told how far it is. */
  progressed(): void;
}

/** A store whose use is counted. Callers get the promises of the store itself: they do not wait for anything more. */
export function measured(storage: Storage, use: StoreUse): Storage {
  return new MeasuredStorage(storage, use);
}

/** A class, because there is one for each resource: it costs two fields, not a closure per method. */
class MeasuredStorage extends LayeredStorage {
  readonly #use: StoreUse;

  constructor(storage: Storage, use: StoreUse) {
    super(storage);
    this.#use = use;
  }

  override get(key: string, options?: Parameters<Storage['get']>[1]): Promise<GetResult> {
    return this.#timed('get', () => this.below.get(key, options));
  }

  override range(request: RangeRequest): Promise<RangeResult> {
    return this.#timed('list', () => this.below.range(request));
  }

  override put(request: PutRequest): Promise<WriteResult> {
    return this.#timed(request.expectedModRevision === 0 ? 'create' : 'update', () => this.below.put(request));
  }

  override delete(request: DeleteRequest): Promise<WriteResult> {
    return this.#timed('delete', () => this.below.delete(request));
  }

  override watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    return this.below.watch(request, measuredSink(sink, this.#use));
  }

  override currentRevision(options?: CallOptions): Promise<number> {
    return this.#timed('getCurrentResourceVersion', () => this.below.currentRevision(options));
  }

  #timed<T>(operation: StoreOperation, call: () => Promise<T>): Promise<T> {
    const beganMs = performance.now();
    const ended = (failed: boolean) => () => this.#use.called(operation, secondsSince(beganMs), failed);
    const result = call();
    result.then(ended(false), ended(true));
    return result;
  }
}

function measuredSink(sink: WatchSink, use: StoreUse): WatchSink {
  return {
    events(events) {
      use.received(events.length);
      sink.events(events);
    },
    progress(revision) {
      use.progressed();
      sink.progress(revision);
    },
    failed: (error) => sink.failed(error),
    moved: (kvs) => sink.moved?.(kvs),
  };
}
