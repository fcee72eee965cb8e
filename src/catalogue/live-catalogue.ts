import type { Catalogue, CatalogueChange } from './catalogue.ts';

/** Called after a change; must not throw. */
export type CatalogueListener = (change: CatalogueChange) => void;

/** The current catalogue. For anything longer than one step, take the snapshot and stay with it. */
export class LiveCatalogue {
  #current: Catalogue;
  readonly #listeners = new Set<CatalogueListener>();

  constructor(first: Catalogue) {
    this.#current = first;
  }

  get current(): Catalogue {
    return this.#current;
  }

  /** Installs the next snapshot. Replacing an entry removes it and adds its successor in one change. */
  change(change: CatalogueChange): void {
    this.#current = this.#current.with(change);
    for (const listener of Array.from(this.#listeners)) listener(change);
  }

  subscribe(listener: CatalogueListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
