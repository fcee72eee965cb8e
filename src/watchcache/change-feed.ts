import { TimeSlice } from '../api/scheduling/time-slice.ts';
import type { CacheChange } from './cache-event.ts';
import type { ChangeReceiver, WatcherIndex } from './watcher-index.ts';

/** Writers wait for watchers that are further behind. */
const maxWaiting = 10_000;

/**
 * Delivers changes to watchers in order. With thousands of watchers it takes several time slices: each watcher in
 * sequence gets all pending changes, so that it can send them at once. Changes that arrive meanwhile form the next
 * batch.
 */
export class ChangeFeed<T extends ChangeReceiver> {
  readonly #watchers: WatcherIndex<T>;
  readonly #onDelivered: (sinceMs: number) => void;
  /** When the first pending change was received, as `performance.now()`. */
  #sinceMs = 0;
  #waiting: CacheChange[] = [];
  #delivered = 0;
  #telling = false;
  #allDelivered = Promise.resolve();

  /** At the end of each slice, `onDelivered` receives the time when the first change of its batch was received. */
  constructor(watchers: WatcherIndex<T>, onDelivered: (sinceMs: number) => void) {
    this.#watchers = watchers;
    this.#onDelivered = onDelivered;
  }

  /** All watchers have received all changes up to this revision; undefined: all there are. */
  get deliveredRevision(): number | undefined {
    return this.#telling ? this.#delivered : undefined;
  }

  tell(changes: readonly CacheChange[]): void {
    if (this.#waiting.length === 0) this.#sinceMs = performance.now();
    for (const change of changes) this.#waiting.push(change);
    if (!this.#telling) this.#allDelivered = this.#tellWaiting();
  }

  /** Resolves when all pending changes have been delivered. */
  allDelivered(): Promise<void> {
    return this.#allDelivered;
  }

  /** Receivers do not throw. */
  async #tellWaiting(): Promise<void> {
    this.#telling = true;
    const timeSlice = new TimeSlice();
    while (this.#waiting.length > 0) {
      const changes = this.#waiting;
      const sinceMs = this.#sinceMs;
      this.#waiting = [];
      this.#delivered = (changes[0]?.revision ?? 1) - 1;
      for (const [watchers, seen] of this.#watchers.audiences(changes)) {
        for (const watcher of watchers) {
          for (const change of seen) {
            if (timeSlice.isOver && this.#waiting.length < maxWaiting) {
              this.#onDelivered(sinceMs);
              await timeSlice.next();
            }
            // It may have been removed in the meantime.
            if (!watchers.has(watcher)) break;
            watcher.receive(change);
          }
        }
      }
      this.#onDelivered(sinceMs);
      for (const change of changes) change.delivered();
    }
    this.#telling = false;
  }
}
