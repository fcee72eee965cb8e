import type { Soon } from '../../api/scheduling/soon.ts';
import type { StorageError, StorageEvent, WatchSink } from '../contract.ts';

/**
 * Passes on to a sink what has to be read first. In order: while a batch is being read, everything after it waits. What
 * is read at once is passed on at once.
 */
export class OrderedSink implements WatchSink {
  readonly #sink: WatchSink;
  readonly #read: (event: StorageEvent) => Soon<StorageEvent>;
  #last: Promise<void> | undefined;
  #ended = false;

  /** `read` neither throws nor rejects. */
  constructor(sink: WatchSink, read: (event: StorageEvent) => Soon<StorageEvent>) {
    this.#sink = sink;
    this.#read = read;
  }

  /** Resolves when everything that has been received so far has been passed on; undefined: it has. */
  get pending(): Promise<void> | undefined {
    return this.#last;
  }

  events(events: readonly StorageEvent[]): void {
    this.#inOrder(() => {
      const read = events.map((event) => this.#read(event));
      const ready = read.filter((each): each is StorageEvent => !(each instanceof Promise));
      if (ready.length === read.length) return this.#passOn(ready);
      return Promise.all(read.map(async (each) => each)).then((all) => this.#passOn(all));
    });
  }

  progress(revision: number): void {
    this.#inOrder(() => {
      if (!this.#ended) this.#sink.progress(revision);
    });
  }

  failed(error: StorageError): void {
    this.#inOrder(() => {
      if (!this.#ended) this.#sink.failed(error);
      this.#ended = true;
    });
  }

  /** Nothing more is passed on, not even what waits. */
  end(): void {
    this.#ended = true;
  }

  #passOn(events: readonly StorageEvent[]): void {
    if (!this.#ended) this.#sink.events(events);
  }

  #inOrder(step: () => Soon<void>): void {
    const done = this.#last === undefined ? step() : this.#last.then(step);
    if (!(done instanceof Promise)) return;
    const last = done.finally(() => {
      if (this.#last === last) this.#last = undefined;
    });
    this.#last = last;
  }
}
