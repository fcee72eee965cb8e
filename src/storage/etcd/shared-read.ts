/**
 * Shares revision reads: callers that arrive while one is in progress share the next one, which must begin after they
 * arrived.
 */
export class SharedRead {
  readonly #read: () => Promise<number>;
  #running: Promise<number> | undefined;
  #next: Promise<number> | undefined;

  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  read(): Promise<number> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#running
      .catch(() => 0)
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  #start(): Promise<number> {
    const running = this.#read().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
