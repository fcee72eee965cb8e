import type { CacheChange } from './cache-event.ts';

/** What a watcher can see: one key, the keys below one prefix (a namespace), or everything. */
export type WatchScope =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'all' };

/** Receives changes; must not throw. */
export interface ChangeReceiver {
  receive(change: CacheChange): void;
}

/** Watchers by what they can see, so that a change is shown only to those who can see it. */
export class WatcherIndex<T extends ChangeReceiver> {
  readonly #all = new Set<T>();
  readonly #byPrefix = new Map<string, Set<T>>();
  readonly #byKey = new Map<string, Set<T>>();

  add(scope: WatchScope, watcher: T): void {
    this.#setOf(scope).add(watcher);
  }

  delete(scope: WatchScope, watcher: T): void {
    const watchers = this.#setOf(scope);
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    if (scope.kind === 'key') this.#byKey.delete(scope.key);
    if (scope.kind === 'prefix') this.#byPrefix.delete(scope.prefix);
  }

  dispatch(change: CacheChange): void {
    for (const watcher of this.#all) watcher.receive(change);
    if (this.#byKey.size > 0) for (const watcher of this.#byKey.get(change.key) ?? []) watcher.receive(change);
    if (this.#byPrefix.size === 0) return;
    const prefix = change.key.slice(0, change.key.lastIndexOf('/') + 1);
    for (const watcher of this.#byPrefix.get(prefix) ?? []) watcher.receive(change);
  }

  /** All watchers, as a copy: ending one changes the index. */
  everyone(): T[] {
    return [
      ...this.#all,
      ...[...this.#byPrefix.values(), ...this.#byKey.values()].flatMap((watchers) => [...watchers]),
    ];
  }

  #setOf(scope: WatchScope): Set<T> {
    if (scope.kind === 'all') return this.#all;
    const index = scope.kind === 'key' ? this.#byKey : this.#byPrefix;
    const id = scope.kind === 'key' ? scope.key : scope.prefix;
    let watchers = index.get(id);
    if (watchers === undefined) {
      watchers = new Set();
      index.set(id, watchers);
    }
    return watchers;
  }
}
