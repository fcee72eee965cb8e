import type { ResourceScope } from '../../operations/resource-scope.ts';
import type { ListResult } from '../../registry/read/list.ts';
import { type Selection, selectorOf } from '../../registry/read/selection.ts';
import type { StoreKind } from '../../registry/stored/store-kind.ts';
import type { CacheEntry } from '../../watchcache/cache-entry.ts';
import { WatchEvent } from '../../watchcache/cache-event.ts';
import { servedEntries } from '../forms/served-view.ts';

/** What is asked of objects before and after their conversion. */
export interface SplitSelection {
  readonly stored: Selection;
  /** Undefined when all is asked of what is stored. */
  readonly served: ((entry: CacheEntry) => boolean) | undefined;
}

/** Splits a selection by fields of the served version, which stored objects may not have. */
export function splitSelection(store: StoreKind, selection: Selection): SplitSelection {
  const own = selection.fields.filter(({ field }) => !field.startsWith('metadata.'));
  if (own.length === 0) return { stored: selection, served: undefined };
  const others = selection.fields.filter((each) => !own.includes(each));
  const served = { namespace: '', labels: [], fields: own };
  return { stored: { ...selection, fields: others }, served: selectorOf(served, store.cache().readAttributes) };
}

/** The list without what is not selected in the version that is served. */
export async function selectServed(
  scope: ResourceScope,
  result: ListResult,
  served: SplitSelection['served'],
): Promise<ListResult> {
  if (served === undefined) return result;
  const converted = await servedEntries(scope, result.entries);
  const entries = result.entries.filter((_, index) => {
    const entry = converted[index];
    return entry !== undefined && served(entry);
  });
  return { ...result, entries, remainingItemCount: undefined };
}

/**
 * The events of a watch for changes of which only the served version shows whether they are selected:
 *
 * | it was selected | it is | event |
 * |---|---|---|
 * | yes, or nobody knows | yes | as it is |
 * | no | yes | ADDED |
 * | yes, or nobody knows | no | DELETED |
 * | no | no | none |
 */
export class SelectedEvents {
  readonly #selects: (entry: CacheEntry) => boolean;
  readonly #before = new Map<string, boolean>();

  constructor(selects: (entry: CacheEntry) => boolean) {
    this.#selects = selects;
  }

  /** Events of the served version in the order they came; others pass. */
  select<Other>(events: readonly (WatchEvent | Other)[]): readonly (WatchEvent | Other)[] {
    const selected = events.map((event) => (event instanceof WatchEvent ? this.#selected(event) : event));
    return selected.filter((event) => event !== undefined);
  }

  #selected(event: WatchEvent): WatchEvent | undefined {
    const { type, entry } = event;
    const was = this.#before.get(entry.key) ?? type !== 'ADDED';
    if (type === 'DELETED') {
      this.#before.delete(entry.key);
      return was ? event : undefined;
    }
    const is = this.#selects(entry);
    this.#before.set(entry.key, is);
    if (is) return was ? event : new WatchEvent('ADDED', entry);
    return was ? new WatchEvent('DELETED', entry) : undefined;
  }
}
