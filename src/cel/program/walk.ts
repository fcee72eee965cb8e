import { type List, listSize, type Mapping } from '../values/collections.ts';
import type { Value } from '../values/value.ts';

/** What encloses loops: the round of another loop, or the whole expression. */
export interface Enclosing {
  /** The slot of its accumulator. */
  readonly accumulatorSlot: number | undefined;
  /** How many loops have begun in it. */
  begun: number;
  /** Those of them that a replay need not repeat, by their order: paused, or ended after the first pause. */
  inner: Map<number, Walk> | undefined;
}

/** How far an evaluation is. */
export interface Progress {
  readonly locals: readonly (Value | undefined)[];
  readonly cost: number;
  /** How many accumulators of others have been initialised. */
  readonly initialised: number;
  readonly enclosing: Enclosing;
}

/** What a loop goes through: a list, or the keys of a map. */
export interface Range {
  readonly items: List;
  readonly map: Mapping | undefined;
}

/** A loop under way. Of its round under way it knows the beginning: after a pause that is where it goes on. */
export class Walk implements Enclosing {
  readonly accumulatorSlot: number;
  begun = 0;
  inner: Map<number, Walk> | undefined;
  readonly items: List;
  readonly map: Mapping | undefined;
  readonly size: number;
  /** How many loops its enclosing had begun when the range was known. */
  readonly begunBefore: number;
  /** The round; `size` when all have ended. */
  index = 0;
  accumulator: Value | undefined;
  /** Of the evaluation. */
  cost: number;
  /** How many accumulators of others had been initialised. */
  initialised: number;
  /** When it has ended. */
  result: Value | undefined;

  constructor(accumulatorSlot: number, { items, map }: Range, frame: Progress) {
    this.accumulatorSlot = accumulatorSlot;
    this.items = items;
    this.map = map;
    this.size = listSize(items);
    this.begunBefore = frame.enclosing.begun;
    this.cost = frame.cost;
    this.initialised = frame.initialised;
  }

  /** The next one begins. */
  endRound(frame: Progress, next: number): void {
    this.index = next;
    this.accumulator = frame.locals[this.accumulatorSlot];
    this.cost = frame.cost;
    this.initialised = frame.initialised;
    this.begun = 0;
    this.inner = undefined;
  }
}
