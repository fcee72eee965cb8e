/** Reads a revision once for all who ask while the read before is under way: what one read learns holds for everyone who asked before it began. */
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
