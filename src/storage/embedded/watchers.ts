import { byteOrdered } from '../../api/collections/ordered-map.ts';
import type { KeyValue, StorageEvent, WatchRequest, WatchSink } from '../contract.ts';

/** One watch. It receives changes in order, up to `position` so far. */
export class Watcher {
  readonly request: WatchRequest;
  readonly start: string;
  readonly end: string;
  readonly sink: WatchSink;
  position: number;
  ended = false;
  /** Progress was requested while the watch was still catching up. */
  progressWanted = false;
  #batch: StorageEvent[] = [];

  constructor(request: WatchRequest, sink: WatchSink) {
    this.request = request;
    this.start = byteOrdered(request.start);
    this.end = byteOrdered(request.end);
    this.position = request.afterRevision;
    this.sink = sink;
  }

  covers(orderedKey: string): boolean {
    return orderedKey >= this.start && orderedKey < this.end;
  }

  /** Returns whether this is the first event of a batch. */
  add(event: StorageEvent): boolean {
    if (event.revision <= this.position) return false;
    return this.#batch.push(event) === 1;
  }

  /** Delivers the batch. */
  flush(): void {
    const batch = this.#batch;
    this.#batch = [];
    if (!this.ended && batch.length > 0) this.sink.events(batch);
  }

  /** Delivers `events` that are in its range and new to it. */
  deliver(events: readonly StorageEvent[]): void {
    for (const event of events) if (this.covers(byteOrdered(event.key))) this.add(event);
    this.flush();
  }
}

/**
 * The watches that are up to date. Watches of a prefix ending in a slash (nearly all) are looked up by the prefixes of
 * a key, so that an event costs only its receivers; the others are checked one by one.
 */
export class Watchers {
  readonly #byPrefix = new Map<string, Set<Watcher>>();
  readonly #others = new Set<Watcher>();

  add(watcher: Watcher): void {
    if (!watchesDirectory(watcher)) this.#others.add(watcher);
    else if (!this.#byPrefix.get(watcher.start)?.add(watcher)) this.#byPrefix.set(watcher.start, new Set([watcher]));
  }

  delete(watcher: Watcher): void {
    this.#others.delete(watcher);
    const same = this.#byPrefix.get(watcher.start);
    if (same?.delete(watcher) && same.size === 0) this.#byPrefix.delete(watcher.start);
  }

  tell(events: readonly StorageEvent[]): void {
    const receivers: Watcher[] = [];
    for (const event of events) {
      const key = byteOrdered(event.key);
      for (const watcher of this.#others) if (watcher.covers(key) && watcher.add(event)) receivers.push(watcher);
      for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
        const watchers = this.#byPrefix.get(key.slice(0, slash + 1));
        if (watchers !== undefined) for (const watcher of watchers) if (watcher.add(event)) receivers.push(watcher);
      }
    }
    for (const watcher of receivers) watcher.flush();
  }

  /** Tells each watch of those of its range. */
  tellMoved(kvs: readonly KeyValue[]): void {
    for (const watcher of this.all()) {
      if (watcher.sink.moved === undefined) continue;
      const moved = kvs.filter(({ key }) => watcher.covers(byteOrdered(key)));
      if (moved.length > 0) watcher.sink.moved(moved);
    }
  }

  all(): Watcher[] {
    return [...this.#others, ...[...this.#byPrefix.values()].flatMap((set) => [...set])];
  }
}

/** '0' follows '/'. */
function watchesDirectory(watcher: Watcher): boolean {
  return watcher.start.endsWith('/') && watcher.end === `${watcher.start.slice(0, -1)}0`;
}
