/** What `/metrics` tells of a number. */
export interface MeasureDefinition {
  /** The reference's name where it has such a number. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labelNames: readonly string[];
}

export type MeasureLabels = { readonly [name: string]: string };

export interface Measured {
  readonly labels: MeasureLabels;
  readonly value: number;
}

/** A number, or one for each set of labels. Kept as it is: the library that writes metrics is loaded when somebody reads them. */
export class Measure {
  readonly definition: MeasureDefinition;
  readonly #values = new Map<string, Measured>();

  constructor(definition: MeasureDefinition) {
    this.definition = definition;
  }

  /** Counts. */
  add(labels: MeasureLabels = {}): void {
    const id = idOf(labels);
    this.#values.set(id, { labels, value: (this.#values.get(id)?.value ?? 0) + 1 });
  }

  set(value: number, labels: MeasureLabels = {}): void {
    this.#values.set(idOf(labels), { labels, value });
  }

  /** Forgets all series that have these labels among theirs. */
  forget(labels: MeasureLabels): void {
    const wanted = Object.entries(labels);
    for (const [id, measured] of this.#values) {
      if (wanted.every(([name, value]) => measured.labels[name] === value)) this.#values.delete(id);
    }
  }

  get values(): Iterable<Measured> {
    return this.#values.values();
  }
}

/** Numbers that are found out when somebody asks. */
export class ReadMeasure extends Measure {
  readonly #read: () => Iterable<Measured>;

  constructor(definition: MeasureDefinition, read: () => Iterable<Measured>) {
    super(definition);
    this.#read = read;
  }

  override get values(): Iterable<Measured> {
    return this.#read();
  }
}

function idOf(labels: MeasureLabels): string {
  return JSON.stringify(labels);
}
