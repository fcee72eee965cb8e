/** Longer strings are unlikely to recur, and expensive to hash. */
const maxTextLength = 16_000;

/**
 * A cache by string, bounded by total length. What has been used since the last time that half of the length was added
 * stays; of the rest, what has not been used for longest goes.
 */
export class TextCache<T> {
  readonly #halfChars: number;
  readonly #idleMs: number;
  #recent = new Map<string, T>();
  /** A generation before; those that are used again move to `#recent`. */
  #older: ReadonlyMap<string, T> = new Map();
  /** The characters in `#recent`. */
  #chars = 0;
  #begunMs = performance.now();

  /** Entries that nobody uses for about `idleMs` are discarded with one of the next additions. */
  constructor(maxChars: number, idleMs = Infinity) {
    this.#halfChars = maxChars / 2;
    this.#idleMs = idleMs;
  }

  get(text: string): T | undefined {
    const recent = this.#recent.get(text);
    if (recent !== undefined) return recent;
    const older = this.#older.get(text);
    if (older !== undefined) this.#keep(text, older);
    return older;
  }

  /** The value for a string, computed by `make` on a miss. */
  remember(text: string, make: (text: string) => T): T {
    const known = this.get(text);
    if (known !== undefined) return known;
    const value = make(text);
    this.set(text, value);
    return value;
  }

  /** Caches `value` unless the string is too long. */
  set(text: string, value: T): void {
    if (text.length <= maxTextLength && this.get(text) === undefined) this.#keep(text, value);
  }

  #keep(text: string, value: T): void {
    const isFull = this.#chars + text.length > this.#halfChars;
    if (isFull || performance.now() - this.#begunMs > this.#idleMs) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#chars = 0;
      this.#begunMs = performance.now();
    }
    this.#recent.set(text, value);
    this.#chars += text.length;
  }
}
