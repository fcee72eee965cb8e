/** Order among those that should not do something at the same time. */
export interface Turns {
  /** Resolves when it is the turn of the caller, which ends when it is disposed of. */
  take(key: string): Promise<Disposable>;
}

/** In the order in which they were wanted, independently for each key. */
export class FairTurns implements Turns {
  readonly #longestMs: number;
  /** What begins the waiting ones, for each key that someone has the turn of. */
  readonly #waiting = new Map<string, ((turn: Disposable) => void)[]>();

  /** After `longestMs` it is the next one's turn in any case. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  take(key: string): Promise<Disposable> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return new Promise((resolve) => waiting.push(resolve));
    this.#waiting.set(key, []);
    return Promise.resolve(this.#begin(key));
  }

  #begin(key: string): Disposable {
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      this.#beginNext(key);
    };
    const timer = setTimeout(end, this.#longestMs).unref();
    return { [Symbol.dispose]: end };
  }

  #beginNext(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    else next(this.#begin(key));
  }
}
