/** Takes what waits of each namespace together, one batch after the other; namespaces do not wait for one another. */
export class NamespaceQueues<Item> {
  readonly #work: (namespace: string, batch: readonly Item[]) => Promise<void>;
  /** What waits for the batch of its namespace that is worked on. */
  readonly #waiting = new Map<string, Item[]>();

  /** `work` does not throw. */
  constructor(work: (namespace: string, batch: readonly Item[]) => Promise<void>) {
    this.#work = work;
  }

  isBusy(namespace: string): boolean {
    return this.#waiting.has(namespace);
  }

  add(namespace: string, item: Item): void {
    const waiting = this.#waiting.get(namespace);
    if (waiting !== undefined) {
      waiting.push(item);
      return;
    }
    this.#waiting.set(namespace, []);
    void this.#run(namespace, [item]);
  }

  async #run(namespace: string, first: readonly Item[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.#take(namespace)) await this.#work(namespace, batch);
    this.#waiting.delete(namespace);
  }

  #take(namespace: string): readonly Item[] {
    const waiting = this.#waiting.get(namespace) ?? [];
    if (waiting.length > 0) this.#waiting.set(namespace, []);
    return waiting;
  }
}
