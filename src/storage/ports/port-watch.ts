import type { KeyValue, StorageError, StorageEvent, StorageWatch, WatchRequest, WatchSink } from '../contract.ts';

/** What a watch needs of the connection that it is on. */
export interface WatchConnection {
  call(type: 'progress' | 'cancel'): void;
  /** Takes in all changes up to the latest revision, and returns it; undefined: only the store knows it. */
  latest(): number | undefined;
}

/** One watch of a thread that uses the store of another. */
export class PortWatch implements StorageWatch {
  readonly request: WatchRequest;
  readonly #sink: WatchSink;
  readonly #connection: WatchConnection;
  /** It has arrived at the present: what comes after is sent before it is counted. */
  #arrived = false;
  #progressWanted = false;
  #ended = false;

  constructor(request: WatchRequest, sink: WatchSink, connection: WatchConnection) {
    this.request = request;
    this.#sink = sink;
    this.#connection = connection;
  }

  requestProgress(): void {
    if (this.#ended || this.#tellLatest()) return;
    this.#progressWanted = true;
    if (this.#arrived) this.#connection.call('progress');
  }

  takeIn(): void {
    if (!this.#ended) this.#tellLatest();
  }

  /** False if only the store can say what is latest. */
  #tellLatest(): boolean {
    const latest = this.#arrived ? this.#connection.latest() : undefined;
    if (latest === undefined) return false;
    // Changes that were taken in may have ended it.
    if (!this.#ended) this.#sink.progress(latest);
    return true;
  }

  cancel(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#connection.call('cancel');
  }

  events(events: readonly StorageEvent[]): void {
    if (!this.#ended) this.#sink.events(events);
  }

  progress(revision: number): void {
    const isFirst = !this.#arrived;
    this.#arrived = true;
    // The first one was not asked for by whoever watches.
    if (this.#ended || (isFirst && !this.#progressWanted)) return;
    this.#progressWanted = false;
    this.#sink.progress(revision);
  }

  moved(kvs: readonly KeyValue[]): void {
    if (!this.#ended) this.#sink.moved?.(kvs);
  }

  failed(error: StorageError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#sink.failed(error);
  }
}
