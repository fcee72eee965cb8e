/** Longer texts have hash codes that tell little, and are not likely to come again. */
const maxTextLength = 16_000;

/** Values by text, up to a number of characters in all: the oldest go first. */
export class TextCache<T> {
  readonly #values = new Map<string, T>();
  readonly #maxChars: number;
  #chars = 0;
  /** Goes on where it was: from the front it would pass all that has been deleted since the map was last made anew. */
  #oldest = this.#values.keys();

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get(text: string): T | undefined {
    return this.#values.get(text);
  }

  /** The value of a text, from `make` when it is not kept. */
  remember(text: string, make: (text: string) => T): T {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = make(text);
    this.set(text, value);
    return value;
  }

  /** Keeps `value` unless the text is too long for it. */
  set(text: string, value: T): void {
    if (text.length > maxTextLength || this.#values.has(text)) return;
    this.#values.set(text, value);
    this.#chars += text.length;
    while (this.#chars > this.#maxChars) this.#deleteOldest();
  }

  #deleteOldest(): void {
    const { done, value: oldest = '' } = this.#oldest.next();
    // An iterator that has come to the end does not see what is added later.
    if (done === true) this.#oldest = this.#values.keys();
    else if (this.#values.delete(oldest)) this.#chars -= oldest.length;
  }
}
