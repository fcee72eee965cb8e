import type { CacheEntry } from './cache-entry.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change as one kind of watcher sees it. Everybody who sees the same shares it, and the frames made from it. */
export class WatchEvent {
  readonly type: WatchEventType;
  readonly entry: CacheEntry;
  /** The first encoding that was asked for, which is mostly the only one. */
  #encoding = '';
  #frame: unknown;
  #frames: Map<string, unknown> | undefined;

  constructor(type: WatchEventType, entry: CacheEntry) {
    this.type = type;
    this.entry = entry;
  }

  /** What `encode` makes of this event, made once for each `encoding`. */
  frame<T>(encoding: string, encode: (event: WatchEvent) => T): T {
    const known = encoding === this.#encoding ? this.#frame : this.#frames?.get(encoding);
    // One encoding always makes one type of frame.
    if (known !== undefined) return known as T;
    const frame = encode(this);
    if (this.#frame === undefined) {
      this.#encoding = encoding;
      this.#frame = frame;
    } else {
      this.#frames ??= new Map();
      this.#frames.set(encoding, frame);
    }
    return frame;
  }
}

/** One change of the store, and how it looks to watchers whose selection it enters or leaves. */
export class CacheChange {
  readonly revision: number;
  readonly key: string;
  readonly current: CacheEntry | undefined;
  readonly previous: CacheEntry | undefined;
  /** Milliseconds since the epoch when the cache learnt of it. */
  readonly seenMs: number;
  /** Shared by those who watch now; undefined for a change of the past, of which the history keeps no frames. */
  #events: Map<WatchEventType, WatchEvent> | undefined = new Map();

  constructor(change: {
    readonly revision: number;
    readonly key: string;
    readonly current: CacheEntry | undefined;
    readonly previous: CacheEntry | undefined;
    readonly seenMs: number;
  }) {
    this.revision = change.revision;
    this.key = change.key;
    this.current = change.current;
    this.previous = change.previous;
    this.seenMs = change.seenMs;
  }

  /**
   * The event for a watcher that selects with `selects`:
   *
   * | before | now | event |
   * |---|---|---|
   * | no | selected | ADDED with the new state |
   * | selected | selected | MODIFIED with the new state |
   * | selected | no | DELETED with the last selected state |
   * | no | no | none |
   */
  eventFor(selects: ((entry: CacheEntry) => boolean) | undefined): WatchEvent | undefined {
    const before = this.previous !== undefined && (selects?.(this.previous) ?? true);
    const now = this.current !== undefined && (selects?.(this.current) ?? true);
    if (now) return this.#event(before ? 'MODIFIED' : 'ADDED');
    return before ? this.#event('DELETED') : undefined;
  }

  /** Everybody who watches has been told. Later watchers get events of their own. */
  told(): void {
    this.#events = undefined;
  }

  #event(type: WatchEventType): WatchEvent {
    const known = this.#events?.get(type);
    if (known !== undefined) return known;
    const entry = type === 'DELETED' ? this.previous?.at(this.revision) : this.current;
    if (entry === undefined) throw new Error(`a change without the state that ${type} shows`);
    const event = new WatchEvent(type, entry);
    this.#events?.set(type, event);
    return event;
  }
}
