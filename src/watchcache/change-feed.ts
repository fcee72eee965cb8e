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
  readonly #onTold: (sinceMs: number) => void;
  /** When the first pending change was received, as `performance.now()`. */
  #sinceMs = 0;
  #waiting: CacheChange[] = [];
  #told = 0;
  #telling = false;
  #allTold = Promise.resolve();

  /** `onTold` is called at the end of each slice, with the time when the first change of its batch was received. */
  constructor(watchers: WatcherIndex<T>, onTold: (sinceMs: number) => void) {
    this.#watchers = watchers;
    this.#onTold = onTold;
  }

  /** All watchers have received all changes up to this revision; undefined: all there are. */
  get toldRevision(): number | undefined {
    return this.#telling ? this.#told : undefined;
  }

  tell(changes: readonly CacheChange[]): void {
    if (this.#waiting.length === 0) this.#sinceMs = performance.now();
    for (const change of changes) this.#waiting.push(change);
    if (!this.#telling) this.#allTold = this.#tellWaiting();
  }

  /** Resolves when all pending changes have been delivered. */
  allTold(): Promise<void> {
    return this.#allTold;
  }

  /** Receivers do not throw. */
  async #tellWaiting(): Promise<void> {
    this.#telling = true;
    const timeSlice = new TimeSlice();
    while (this.#waiting.length > 0) {
      const changes = this.#waiting;
      const sinceMs = this.#sinceMs;
      this.#waiting = [];
      this.#told = (changes[0]?.revision ?? 1) - 1;
      for (const [watchers, seen] of this.#watchers.audiences(changes)) {
        for (const watcher of watchers) {
          for (const change of seen) {
            if (timeSlice.isOver && this.#waiting.length < maxWaiting) {
              this.#onTold(sinceMs);
              await timeSlice.next();
            }
            // It may have been removed in the meantime.
            if (!watchers.has(watcher)) break;
            watcher.receive(change);
          }
        }
      }
      this.#onTold(sinceMs);
      for (const change of changes) change.told();
    }
    this.#telling = false;
  }
}
