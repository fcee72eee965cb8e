import { Turns } from '../api/turns.ts';
import type { CacheChange } from './cache-event.ts';
import type { ChangeReceiver, WatcherIndex } from './watcher-index.ts';

/** Writers wait for watchers that are further behind. */
const maxWaiting = 10_000;

/**
 * Tells watchers of changes, in the order of the changes. Thousands of watchers are told in turns: one after the other is told of
 * all that waits for it, so that it can send that at once. What comes meanwhile waits, and is told together.
 */
export class ChangeFeed<T extends ChangeReceiver> {
  readonly #watchers: WatcherIndex<T>;
  #waiting: CacheChange[] = [];
  #told = 0;
  #telling = false;
  #allTold = Promise.resolve();

  constructor(watchers: WatcherIndex<T>) {
    this.#watchers = watchers;
  }

  /** All watchers have been told of all changes up to this revision; undefined: of all there are. */
  get toldRevision(): number | undefined {
    return this.#telling ? this.#told : undefined;
  }

  tell(changes: readonly CacheChange[]): void {
    for (const change of changes) this.#waiting.push(change);
    if (!this.#telling) this.#allTold = this.#tellWaiting();
  }

  /** Resolves when all that waits now has been told. */
  allTold(): Promise<void> {
    return this.#allTold;
  }

  /** Receivers do not throw. */
  async #tellWaiting(): Promise<void> {
    this.#telling = true;
    const turns = new Turns();
    while (this.#waiting.length > 0) {
      const changes = this.#waiting;
      this.#waiting = [];
      this.#told = (changes[0]?.revision ?? 1) - 1;
      for (const [watchers, seen] of this.#watchers.audiences(changes)) {
        for (const watcher of watchers) {
          for (const change of seen) {
            if (turns.isOver && this.#waiting.length < maxWaiting) await turns.next();
            // Others had a turn, and it may have gone.
            if (!watchers.has(watcher)) break;
            watcher.receive(change);
          }
        }
      }
      for (const change of changes) change.told();
    }
    this.#telling = false;
  }
}
