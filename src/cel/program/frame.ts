import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import { CelError, type Value } from '../values/value.ts';

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

/** Cost between two looks at the clock: a fraction of a millisecond. */
const costBetweenLooks = 500;

export interface Limits {
  readonly costLimit: number;
  /** The time that the evaluation shares with others. */
  readonly timeSlice?: TimeSlice | undefined;
}

/** The local variables of programs without comprehensions: never written. */
const noLocals: (Value | undefined)[] = [];

/** The state of one evaluation. */
export class Frame {
  /** Variables of the environment; undefined when unset. */
  readonly inputs: readonly (Value | undefined)[];
  /** Comprehension variables, and what nodes keep; undefined before they are computed. */
  readonly locals: (Value | undefined)[];
  cost = 0;
  readonly #costLimit: number;
  #nextLook = costBetweenLooks;
  /** Undefined before the first look at the clock, if the evaluation has one of its own. */
  #timeSlice: TimeSlice | undefined;

  constructor(inputs: readonly (Value | undefined)[], localCount: number, { costLimit, timeSlice }: Limits) {
    this.inputs = inputs;
    this.locals = localCount === 0 ? noLocals : Array<Value | undefined>(localCount).fill(undefined);
    this.#costLimit = costLimit;
    this.#timeSlice = timeSlice;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#costLimit) throw new CostLimitError();
  }

  /** Whether the time slice is over: others should run before the next round of a loop. */
  isSliceOver(): boolean {
    return this.cost >= this.#nextLook && this.#look();
  }

  #look(): boolean {
    this.#nextLook = this.cost + costBetweenLooks;
    this.#timeSlice ??= new TimeSlice();
    return this.#timeSlice.isOver;
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
