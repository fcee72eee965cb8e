import { LruMap } from '../api/collections/lru-map.ts';
import type { KindEntry } from '../catalogue/kind-entry.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { type Definition, isTrue, type KeptDefinition } from './definition.ts';
import {
  type DefinitionOrigin,
  type DefinitionRun,
  definitionEntry,
  definitionText,
  isTerminating,
  type EntrySurroundings,
} from './definition-entry.ts';

interface Served {
  readonly entry: KindEntry;
  readonly uid: string | undefined;
  readonly origin: DefinitionOrigin;
  /** The identity of the kind, and the state that discovery reports. */
  readonly text: string;
  readonly shownText: string;
  readonly run: DefinitionRun;
}

/** What the entries of all definitions share. */
type SharedSurroundings = Omit<EntrySurroundings, 'run' | 'origin' | 'isTaken'>;

/** Earlier states of the store are kept for some minutes only. */
const maxGone = 1000;

/** The definitions with an entry in the catalogue. */
export class ServedDefinitions {
  readonly #catalogue: LiveCatalogue;
  readonly #shared: SharedSurroundings;
  readonly #served = new Map<string, Served>();
  /** Names of definitions that were deleted lately. */
  readonly #gone = new LruMap<string, true>(maxGone);

  constructor(catalogue: LiveCatalogue, shared: SharedSurroundings) {
    this.#catalogue = catalogue;
    this.#shared = shared;
  }

  readonly #isTaken = (group: string, version: string): boolean => this.#catalogue.current.isOfRelease(group, version);

  /** A kind that becomes another is another entry; one that begins to go is told of otherwise, and goes on. */
  set(name: string, kept: KeptDefinition): void {
    const { definition } = kept;
    if (!isServed(definition)) {
      this.delete(name);
      return;
    }
    const before = this.#served.get(name);
    const text = definitionText(definition);
    const shownText = String(isTrue(definition, 'Terminating'));
    const run = before?.text === text ? before.run : { isTerminating: false };
    run.isTerminating = isTerminating(definition);
    if (before?.text === text && before.shownText === shownText) return;
    const { uid, resourceVersion } = definition.metadata;
    const origin =
      before !== undefined && before.uid === uid
        ? before.origin
        : { begunAt: Number(resourceVersion), isSuccessor: before !== undefined || this.#gone.has(name) };
    const entry = definitionEntry(kept, { run, origin, isTaken: this.#isTaken, ...this.#shared });
    this.#served.set(name, { entry, uid, origin, text, shownText: shownText, run });
    this.#catalogue.change({ remove: before === undefined ? [] : [before.entry], add: [entry] });
  }

  delete(name: string): void {
    const before = this.#served.get(name);
    if (before === undefined) return;
    this.#served.delete(name);
    this.#gone.set(name, true);
    this.#catalogue.change({ remove: [before.entry] });
  }
}

/** Served once its names are accepted, so that a definition is already served when it becomes Established. */
function isServed(definition: Definition): boolean {
  return isTrue(definition, 'NamesAccepted') || isTrue(definition, 'Established');
}
