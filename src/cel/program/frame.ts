import { CelError, type Value } from '../values/value.ts';

/** Part of a program: what it evaluates to, which may be an error. */
export type Evaluate = (frame: Frame) => Value;

/** The evaluation would cost more than it may. */
export class CostLimitError extends Error {
  override readonly name = 'CostLimitError';
  readonly code = 'cel-cost-limit';

  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** What one evaluation works on. */
export class Frame {
  /** Of variables of the environment, undefined where there is none. */
  readonly inputs: readonly (Value | undefined)[];
  /** Variables of loops; what has not been worked out yet is undefined. */
  readonly locals: (Value | undefined)[];
  readonly #limit: number;
  cost = 0;

  constructor(inputs: readonly (Value | undefined)[], localCount: number, limit: number) {
    this.inputs = inputs;
    this.locals = Array<Value | undefined>(localCount).fill(undefined);
    this.#limit = limit;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostLimitError();
  }
}

/** An expression that is right in itself but cannot run, such as `int('a')`. */
export class CelProgramError extends Error {
  override readonly name = 'CelProgramError';
  readonly code = 'cel-program';

  static of({ message }: CelError): CelProgramError {
    return new CelProgramError(message);
  }
}
