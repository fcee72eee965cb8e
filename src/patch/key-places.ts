import { isJsonObject, type JsonValue } from '../api/json/json.ts';
import { unclassified } from './patch-errors.ts';

/** Positions of list items by merge key. Of items with the same key the first counts. */
export class KeyPlaces {
  readonly #list: readonly JsonValue[];
  readonly #mergeKey: string;
  readonly #first = new Map<JsonValue, number>();
  /** Index of the first item that is not an object; a search that gets this far throws. */
  #mismatch: number | undefined;

  constructor(list: readonly JsonValue[], mergeKey: string) {
    this.#list = list;
    this.#mergeKey = mergeKey;
    for (const place of list.keys()) this.added(place);
  }

  /** Throws a StatusError (500) if a non-object precedes the item, or for any non-object if the item is not found. */
  find(key: JsonValue): number | undefined {
    const place = this.#first.get(key);
    const mismatch = this.#mismatch;
    if (mismatch !== undefined && (place === undefined || mismatch < place)) {
      throw unclassified(`value for key ${mismatch} is not a map`);
    }
    return place;
  }

  /** An item was appended to the list. */
  added(place: number): void {
    const key = this.#keyAt(place);
    if (key !== undefined && !this.#first.has(key)) this.#first.set(key, place);
    if (!isJsonObject(this.#list[place])) this.#mismatch ??= place;
  }

  /** The merge of an item found by its key may have removed the key. */
  changed(key: JsonValue, place: number): void {
    if (this.#keyAt(place) === key) return;
    let next = place + 1;
    while (next < this.#list.length && this.#keyAt(next) !== key) next += 1;
    if (next < this.#list.length) this.#first.set(key, next);
    else this.#first.delete(key);
  }

  #keyAt(place: number): JsonValue | undefined {
    const item = this.#list[place];
    return isJsonObject(item) && Object.hasOwn(item, this.#mergeKey) ? item[this.#mergeKey] : undefined;
  }
}
