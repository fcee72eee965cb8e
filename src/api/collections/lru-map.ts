/** A map of at most `max` entries: to make room for another one, the least recently used entry is evicted. */
export class LruMap<K, V> extends Map<K, V> {
  readonly #max: number;
  readonly #onEvicted: ((key: K, value: V) => void) | undefined;

  constructor(max: number, onEvicted?: (key: K, value: V) => void) {
    super();
    this.#max = max;
    this.#onEvicted = onEvicted;
  }

  override get(key: K): V | undefined {
    const value = super.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#max) return this;
    for (const [oldest, evicted] of this) {
      this.delete(oldest);
      this.#onEvicted?.(oldest, evicted);
      break;
    }
    return this;
  }
}
