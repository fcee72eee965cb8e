import { secondsSince } from '../api/seconds-since.ts';
import type { Storage, WatchSink } from './contract.ts';

/** The calls to a store, by the names that the reference's metrics have for them. */
export type StoreOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'getCurrentResourceVersion';

/** What is told about the use of a store. Must not throw. */
export interface StoreUse {
  /** A call has ended after `seconds`. A failed comparison is not a failure. */
  called(operation: StoreOperation, seconds: number, failed: boolean): void;
  /** A watch has received so many changes. */
  received(events: number): void;
  /** A watch has been told how far it is. */
  progressed(): void;
}

/** A store whose use is told. Callers get the promises of the store itself: they do not wait for anything more. */
export function measured(storage: Storage, use: StoreUse): Storage {
  const timed = <T>(operation: StoreOperation, call: () => Promise<T>): Promise<T> => {
    const beganMs = performance.now();
    const ended = (failed: boolean) => () => use.called(operation, secondsSince(beganMs), failed);
    const answer = call();
    answer.then(ended(false), ended(true));
    return answer;
  };
  return {
    get: (key, options) => timed('get', () => storage.get(key, options)),
    range: (request) => timed('list', () => storage.range(request)),
    put: (request) => timed(request.expectedModRevision === 0 ? 'create' : 'update', () => storage.put(request)),
    delete: (request) => timed('delete', () => storage.delete(request)),
    watch: (request, sink) => storage.watch(request, measuredSink(sink, use)),
    currentRevision: (options) => timed('getCurrentResourceVersion', () => storage.currentRevision(options)),
    compact: (revision) => storage.compact(revision),
    get compactedRevision() {
      return storage.compactedRevision;
    },
    check: () => storage.check(),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  };
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
  };
}
