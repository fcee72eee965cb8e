/** Longer strings are unlikely to recur, and expensive to hash. */
const maxTextLength = 16_000;

/** A cache by string, bounded by total length: the oldest entries are evicted first. */
export class TextCache<T> {
  readonly #values = new Map<string, T>();
  readonly #maxChars: number;
  #chars = 0;
  /** Continues where it stopped: from the front it would skip over all deleted entries until the map is rehashed. */
  #oldest = this.#values.keys();

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get(text: string): T | undefined {
    return this.#values.get(text);
  }

  /** The value for a string, computed by `make` on a miss. */
  remember(text: string, make: (text: string) => T): T {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = make(text);
    this.set(text, value);
    return value;
  }

  /** Caches `value` unless the string is too long. */
  set(text: string, value: T): void {
    if (text.length > maxTextLength || this.#values.has(text)) return;
    this.#values.set(text, value);
    this.#chars += text.length;
    while (this.#chars > this.#maxChars) this.#deleteOldest();
  }

  #deleteOldest(): void {
    const { done, value: oldest = '' } = this.#oldest.next();
    // An exhausted iterator does not see later additions.
    if (done === true) this.#oldest = this.#values.keys();
    else if (this.#values.delete(oldest)) this.#chars -= oldest.length;
  }
}
