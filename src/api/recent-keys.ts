/** The keys that were noted last, at most so many; each that makes room for another is told. */
export class RecentKeys {
  /** Oldest first. */
  readonly #keys = new Set<string>();
  readonly #max: number;
  readonly #onDropped: (key: string) => void;

  constructor(max: number, onDropped: (key: string) => void) {
    this.#max = max;
    this.#onDropped = onDropped;
  }

  note(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= this.#max) return;
    const [oldest = ''] = this.#keys;
    this.#keys.delete(oldest);
    this.#onDropped(oldest);
  }

  /** As if it had never been noted. */
  delete(key: string): void {
    this.#keys.delete(key);
  }
}
