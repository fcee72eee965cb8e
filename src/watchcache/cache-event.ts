import type { CacheEntry } from './cache-entry.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change as a class of watchers sees it. They share it and the frames encoded from it. */
export class WatchEvent {
  readonly type: WatchEventType;
  readonly entry: CacheEntry;
  /** The first requested encoding, usually the only one. */
  #encoding = '';
  #frame: unknown;
  #frames: Map<string, unknown> | undefined;

  constructor(type: WatchEventType, entry: CacheEntry) {
    this.type = type;
    this.entry = entry;
  }

  /** The result of `encode` for this event, cached by `encoding`. */
  frame<T>(encoding: string, encode: (event: WatchEvent) => T): T {
    const known = this.#known(encoding);
    // Each encoding has a single frame type.
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

  #known(encoding: string): unknown {
    return encoding === this.#encoding ? this.#frame : this.#frames?.get(encoding);
  }
}

/** One change of the store, and the events it causes for watchers with different selectors. */
export class CacheChange {
  readonly revision: number;
  readonly key: string;
  readonly current: CacheEntry | undefined;
  readonly previous: CacheEntry | undefined;
  /** When the cache received it, in milliseconds since the epoch. */
  readonly seenMs: number;
  /** Shared by current watchers; undefined once they have been notified: the history keeps no frames. */
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
   * The event for a watcher with the filter `selects`:
   *
   * | matched before | matches now | event |
   * |---|---|---|
   * | no | yes | ADDED with the new state |
   * | yes | yes | MODIFIED with the new state |
   * | yes | no | DELETED with the last matching state |
   * | no | no | none |
   */
  eventFor(selects: ((entry: CacheEntry) => boolean) | undefined): WatchEvent | undefined {
    const before = this.previous !== undefined && (selects?.(this.previous) ?? true);
    const now = this.current !== undefined && (selects?.(this.current) ?? true);
    if (now) return this.#event(before ? 'MODIFIED' : 'ADDED');
    return before ? this.#event('DELETED') : undefined;
  }

  /** All current watchers have been notified. Later ones get their own events. */
  delivered(): void {
    this.#events = undefined;
  }

  #event(type: WatchEventType): WatchEvent {
    const known = this.#events?.get(type);
    if (known !== undefined) return known;
    const entry = type === 'DELETED' ? this.previous?.at(this.revision) : this.current;
    if (entry === undefined) throw new Error(`the change has no state for ${type}`);
    const event = new WatchEvent(type, entry);
    this.#events?.set(type, event);
    return event;
  }
}
