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

/** The evaluation was cancelled. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly code = 'cel-interrupted';

  constructor() {
    super('operation interrupted');
  }
}

export interface Limits {
  readonly cost: number;
  /** Polled by loops. */
  readonly isInterrupted?: (() => boolean) | undefined;
}

/** Iterations between two polls: less than a millisecond, unless each does a lot. */
const roundsBetweenChecks = 100;

/** Of programs without comprehensions: never written. */
const noLocals: (Value | undefined)[] = [];

/** The state of one evaluation. */
export class Frame {
  /** Variables of the environment; undefined when unset. */
  readonly inputs: readonly (Value | undefined)[];
  /** Comprehension variables; undefined before they are computed. */
  readonly locals: (Value | undefined)[];
  readonly #limit: number;
  readonly #isInterrupted: (() => boolean) | undefined;
  #rounds = 0;
  cost = 0;

  constructor(inputs: readonly (Value | undefined)[], localCount: number, limits: Limits) {
    this.inputs = inputs;
    this.locals = localCount === 0 ? noLocals : Array<Value | undefined>(localCount).fill(undefined);
    this.#limit = limits.cost;
    this.#isInterrupted = limits.isInterrupted;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostLimitError();
  }

  /** Counts an iteration. */
  round(): void {
    if (this.#isInterrupted === undefined) return;
    this.#rounds += 1;
    if (this.#rounds % roundsBetweenChecks === 0 && this.#isInterrupted()) throw new InterruptedError();
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
