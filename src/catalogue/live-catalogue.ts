import type { Catalogue, CatalogueChange } from './catalogue.ts';

/** Told of a change when it has happened; must not throw. */
export type CatalogueListener = (change: CatalogueChange) => void;

/** The catalogue as it is now. Whoever needs it for longer than a step takes the snapshot, and goes on with that. */
export class LiveCatalogue {
  #current: Catalogue;
  readonly #listeners = new Set<CatalogueListener>();

  constructor(first: Catalogue) {
    this.#current = first;
  }

  get current(): Catalogue {
    return this.#current;
  }

  /** Puts the next snapshot in the place of this one. An entry that is replaced goes and its successor comes in one change. */
  change(change: CatalogueChange): void {
    this.#current = this.#current.with(change);
    for (const listener of [...this.#listeners]) listener(change);
  }

  subscribe(listener: CatalogueListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
