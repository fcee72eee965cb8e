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

/** Whoever asked does not wait any longer. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly code = 'cel-interrupted';

  constructor() {
    super('operation interrupted');
  }
}

export interface Limits {
  readonly cost: number;
  /** Asked now and then by loops. */
  readonly isInterrupted?: (() => boolean) | undefined;
}

/** So many rounds of loops take less than a millisecond, unless each of them does a lot. */
const roundsBetweenChecks = 100;

/** What one evaluation works on. */
export class Frame {
  /** Of variables of the environment, undefined where there is none. */
  readonly inputs: readonly (Value | undefined)[];
  /** Variables of loops; what has not been worked out yet is undefined. */
  readonly locals: (Value | undefined)[];
  readonly #limit: number;
  readonly #isInterrupted: (() => boolean) | undefined;
  #rounds = 0;
  cost = 0;

  constructor(inputs: readonly (Value | undefined)[], localCount: number, limits: Limits) {
    this.inputs = inputs;
    this.locals = Array<Value | undefined>(localCount).fill(undefined);
    this.#limit = limits.cost;
    this.#isInterrupted = limits.isInterrupted;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostLimitError();
  }

  /** Another round of a loop. */
  round(): void {
    if (this.#isInterrupted === undefined) return;
    this.#rounds += 1;
    if (this.#rounds % roundsBetweenChecks === 0 && this.#isInterrupted()) throw new InterruptedError();
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
