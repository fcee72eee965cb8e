import { getOwn } from '../api/json/json.ts';
import type { CacheEntry, SelectableAttributes } from './cache-entry.ts';
import type { CacheChange } from './cache-event.ts';

/**
 * What a watcher can see: one key, the keys below a prefix (a namespace), the entries with one value of a selectable
 * field (`spec.nodeName`), or everything.
 */
export type WatchScope =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'field'; readonly field: string; readonly value: string }
  | { readonly kind: 'all' };

/** Receives changes; must not throw. */
export interface ChangeReceiver {
  receive(change: CacheChange): void;
}

type FieldReader = (entry: CacheEntry) => SelectableAttributes['fields'];

/** Watchers by scope, so that a change reaches only those that can see it. */
export class WatcherIndex<T extends ChangeReceiver> {
  readonly #fieldsOf: FieldReader;
  readonly #all = new Set<T>();
  readonly #byPrefix = new Map<string, Set<T>>();
  readonly #byKey = new Map<string, Set<T>>();
  readonly #byField = new Map<string, Map<string, Set<T>>>();

  constructor(fieldsOf: FieldReader) {
    this.#fieldsOf = fieldsOf;
  }

  add(scope: WatchScope, watcher: T): void {
    if (scope.kind === 'all') {
      this.#all.add(watcher);
      return;
    }
    const { index, id } = this.#placeOf(scope);
    const watchers = index.get(id);
    if (watchers === undefined) index.set(id, new Set([watcher]));
    else watchers.add(watcher);
  }

  delete(scope: WatchScope, watcher: T): void {
    if (scope.kind === 'all') {
      this.#all.delete(watcher);
      return;
    }
    const { index, id } = this.#placeOf(scope);
    const watchers = index.get(id);
    if (watchers?.delete(watcher) === true && watchers.size === 0) index.delete(id);
    if (scope.kind === 'field' && index.size === 0) this.#byField.delete(scope.field);
  }

  /** Sets of watchers with the changes that they can see, in order. */
  audiences(changes: readonly CacheChange[]): ReadonlyMap<ReadonlySet<T>, readonly CacheChange[]> {
    const audiences: Audiences<T> = new Map();
    if (this.#all.size > 0) audiences.set(this.#all, [...changes]);
    for (const change of changes) {
      if (this.#byKey.size > 0) show(audiences, this.#byKey.get(change.key), change);
      if (this.#byPrefix.size > 0) {
        show(audiences, this.#byPrefix.get(change.key.slice(0, change.key.lastIndexOf('/') + 1)), change);
      }
      for (const [field, byValue] of this.#byField) {
        const before = this.#valueOf(change.previous, field);
        const now = this.#valueOf(change.current, field);
        if (now !== undefined) show(audiences, byValue.get(now), change);
        if (before !== undefined && before !== now) show(audiences, byValue.get(before), change);
      }
    }
    return audiences;
  }

  /** All watchers, as a copy: ending one changes the index. */
  everyone(): T[] {
    const indexes = [this.#byPrefix, this.#byKey, ...this.#byField.values()];
    return [...this.#all, ...indexes.flatMap((index) => [...index.values()].flatMap((watchers) => [...watchers]))];
  }

  #placeOf(scope: Exclude<WatchScope, { kind: 'all' }>): { readonly index: Map<string, Set<T>>; readonly id: string } {
    if (scope.kind === 'key') return { index: this.#byKey, id: scope.key };
    if (scope.kind === 'prefix') return { index: this.#byPrefix, id: scope.prefix };
    let index = this.#byField.get(scope.field);
    if (index === undefined) {
      index = new Map();
      this.#byField.set(scope.field, index);
    }
    return { index, id: scope.value };
  }

  #valueOf(entry: CacheEntry | undefined, field: string): string | undefined {
    return entry === undefined ? undefined : (getOwn(this.#fieldsOf(entry), field) ?? '');
  }
}

type Audiences<T> = Map<ReadonlySet<T>, CacheChange[]>;

function show<T>(audiences: Audiences<T>, watchers: ReadonlySet<T> | undefined, change: CacheChange): void {
  if (watchers === undefined) return;
  const seen = audiences.get(watchers);
  if (seen === undefined) audiences.set(watchers, [change]);
  else seen.push(change);
}
