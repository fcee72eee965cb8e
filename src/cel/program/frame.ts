import { CelError, type Value } from '../values/value.ts';
import { Pause } from './pause.ts';
import type { Enclosing, Progress, Walk } from './walk.ts';

/** A compiled node: evaluates to a value, which may be an error. */
export type Evaluate = (frame: Frame) => Value;

/** The evaluation exceeds the cost limit. */
export class CostLimitError extends Error {
  override readonly name = 'CostLimitError';
  readonly code = 'cel-cost-limit';

  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

export interface Limits {
  readonly costLimit: number;
  /** With turns loops pause at the end of each. */
  readonly hasTurns: boolean;
}

/** Iterations between two looks at the clock. */
const roundsBetweenLooks = 16;
/** A turn, from the first look at the clock; longer only if it took longer to get back to where the last one ended. */
const turnMs = 2;

/** So much less than any limit that replays never exceed one; a small integer, as V8 keeps costs. */
const costOfReplay = -(2 ** 30);

/** Of programs without comprehensions: never written. */
const noLocals: (Value | undefined)[] = [];

/** An accumulator that an inner loop was the first to access. */
interface Initialised {
  readonly value: Value;
  /** Counted from 1. */
  readonly order: number;
}

/** Where a paused evaluation goes on: at the beginning of a round of its innermost loop. */
interface Resumption {
  readonly walk: Walk;
  readonly initialised: ReadonlyMap<number, Initialised>;
}

/**
 * The state of one evaluation. After a pause the expression is evaluated again from its beginning, without its loops'
 * earlier rounds and at no cost, until it is back in the round that has paused.
 */
export class Frame implements Enclosing, Progress {
  readonly accumulatorSlot = undefined;
  begun = 0;
  inner: Map<number, Walk> | undefined;
  /** Variables of the environment; undefined when unset. */
  readonly inputs: readonly (Value | undefined)[];
  /** Comprehension variables; undefined before they are computed. */
  readonly locals: (Value | undefined)[];
  /** The innermost loop under way, or this. */
  enclosing: Enclosing = this;
  cost = 0;
  readonly #costLimit: number;
  readonly #hasTurns: boolean;
  #rounds = 0;
  /** Undefined unless the evaluation is on its way there. */
  #resumption: Resumption | undefined;
  /** When the turn began, unless it is the first. */
  #beganMs: number | undefined;
  #endMs: number | undefined;
  /** By slot. */
  #initialised: Map<number, Initialised> | undefined;
  #lastInitialised = 0;

  constructor(inputs: readonly (Value | undefined)[], localCount: number, { costLimit, hasTurns }: Limits) {
    this.inputs = inputs;
    this.locals = localCount === 0 ? noLocals : Array<Value | undefined>(localCount).fill(undefined);
    this.#costLimit = costLimit;
    this.#hasTurns = hasTurns;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#costLimit) throw new CostLimitError();
  }

  /** Counts an iteration. */
  round(): void {
    this.#rounds += 1;
    if (this.#rounds % roundsBetweenLooks === 0 && this.#hasTurns && !this.isReplaying) this.#look();
  }

  #look(): void {
    const nowMs = performance.now();
    this.#endMs ??= nowMs + Math.max(turnMs, nowMs - (this.#beganMs ?? nowMs));
    if (nowMs >= this.#endMs) throw new Pause();
  }

  /** An accumulator has its first value. */
  initialise(slot: number, value: Value): void {
    this.locals[slot] = value;
    if (this.enclosing.accumulatorSlot === slot) return;
    this.#lastInitialised += 1;
    this.#initialised ??= new Map<number, Initialised>();
    this.#initialised.set(slot, { value, order: this.#lastInitialised });
  }

  get initialised(): number {
    return this.#lastInitialised;
  }

  get hasPaused(): boolean {
    return this.#beganMs !== undefined;
  }

  get isReplaying(): boolean {
    return this.#resumption !== undefined;
  }

  /** A loop begins, or goes on. */
  begin(walk: Walk): void {
    walk.begun = 0;
    this.enclosing = walk;
    this.locals[walk.accumulatorSlot] = walk.accumulator;
    this.#initialised?.delete(walk.accumulatorSlot);
    if (this.#resumption?.walk === walk) this.#arrive(this.#resumption);
  }

  /** The evaluation is back where it paused. */
  #arrive({ walk, initialised }: Resumption): void {
    this.#resumption = undefined;
    this.#initialised = new Map(initialised);
    this.#lastInitialised = walk.initialised;
    for (const [slot, { value }] of initialised) this.locals[slot] = value;
    this.cost = walk.cost;
  }

  /** A pause has reached a loop. */
  pauseIn(walk: Walk): void {
    if (this.#resumption !== undefined) return;
    const initialised = new Map([...(this.#initialised ?? [])].filter(([, { order }]) => order <= walk.initialised));
    this.#resumption = { walk, initialised };
  }

  beginAgain(): void {
    this.enclosing = this;
    this.begun = 0;
    this.cost = this.isReplaying ? costOfReplay : 0;
    this.#initialised = undefined;
    this.#beganMs = performance.now();
    this.#endMs = undefined;
  }
}

/** A valid expression that cannot be compiled, such as `int('a')`. */
export class CelProgramError extends Error {
  override readonly name = 'CelProgramError';
  readonly code = 'cel-program';

  static of({ message }: CelError): CelProgramError {
    return new CelProgramError(message);
  }
}
