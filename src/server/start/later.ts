/**
 * A part of the server that others refer to before it can be made, because each needs the other: admission follows
 * objects of kinds whose strategies ask admission's authorizer. Only such cycles are a reason for it: a part that is
 * merely made earlier is passed as it is.
 */
export class Later<Part> {
  readonly #name: string;
  #part: Part | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  set(part: Part): Part {
    this.#part = part;
    return part;
  }

  /** Throws until the part has been set. */
  get now(): Part {
    if (this.#part === undefined) throw new Error(`${this.#name} are used before they have been made`);
    return this.#part;
  }
}
