import { isJsonObject, type JsonValue } from '../api/json.ts';
import { unclassified } from './patch-errors.ts';

/** Where the items of a list stand, by their merge keys. Of items with the same key the first counts. */
export class KeyPlaces {
  readonly #list: readonly JsonValue[];
  readonly #mergeKey: string;
  readonly #first = new Map<JsonValue, number>();
  /** Place of the first item that is no object; whoever looks so far is refused. */
  #misfit: number | undefined;

  constructor(list: readonly JsonValue[], mergeKey: string) {
    this.#list = list;
    this.#mergeKey = mergeKey;
    for (const place of list.keys()) this.added(place);
  }

  /** Throws a StatusError (500) where something that is no object stands before the item, or anywhere when there is none. */
  find(key: JsonValue): number | undefined {
    const place = this.#first.get(key);
    const misfit = this.#misfit;
    if (misfit !== undefined && (place === undefined || misfit < place)) {
      throw unclassified(`value for key ${misfit} is not a map`);
    }
    return place;
  }

  /** An item was put at the end of the list. */
  added(place: number): void {
    const key = this.#keyAt(place);
    if (key !== undefined && !this.#first.has(key)) this.#first.set(key, place);
    if (!isJsonObject(this.#list[place])) this.#misfit ??= place;
  }

  /** The item that was found by its key may have lost it. */
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
