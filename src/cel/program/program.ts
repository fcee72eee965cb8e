import type { Work } from '../../api/turns.ts';
import { CostTrackingError } from '../cost/call-cost.ts';
import { CelError, isError, UnhashableKeyError, type Value } from '../values/value.ts';
import { CostLimitError, type Evaluate, Frame, type Limits } from './frame.ts';
import { Pause } from './pause.ts';
import type { Plan } from './planner.ts';

/** Variable values by name; a missing one is an error only if accessed. */
export interface Bindings {
  readonly [name: string]: Value | undefined;
}

export interface Evaluation {
  /** An error when the expression fails. */
  readonly value: Value;
  readonly cost: number;
  /** Aborted, as it exceeded the cost limit. */
  readonly isCancelled: boolean;
}

/** Reasons to abort an evaluation. */
const endings = [CostLimitError, CostTrackingError, UnhashableKeyError] as const;

/** An expression compiled to closures. Evaluations share no state. */
export class Program {
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Without pauses. Throws a Pause when an authorizer is asynchronous. */
  evaluate(bindings: Bindings, costLimit: number): Evaluation {
    const run = this.#start(bindings, { costLimit, hasTurns: false });
    const evaluation = run.proceed();
    if (evaluation === undefined) throw run.pause;
    return evaluation;
  }

  /** Begins an evaluation that pauses at the end of its turns, and while an authorizer is asked. */
  start(bindings: Bindings, costLimit: number): Run {
    return this.#start(bindings, { costLimit, hasTurns: true });
  }

  #start(bindings: Bindings, limits: Limits): Run {
    const { evaluate, inputs, localCount } = this.#plan;
    return new Run(
      evaluate,
      new Frame(
        inputs.map((name) => bindings[name]),
        localCount,
        limits,
      ),
    );
  }
}

/**
 * An evaluation that pauses:
 *
 *     const run = program.start(bindings, costLimit);
 *     const evaluation = run.proceed() ?? (yield* run.rest());
 */
export class Run {
  readonly #evaluate: Evaluate;
  readonly #frame: Frame;
  /** Why it has paused. */
  pause: Pause | undefined;

  constructor(evaluate: Evaluate, frame: Frame) {
    this.#evaluate = evaluate;
    this.#frame = frame;
  }

  /** Evaluates until the next pause, when it returns undefined, or to the end. */
  proceed(): Evaluation | undefined {
    if (this.pause !== undefined) this.#frame.beginAgain();
    try {
      const value = this.#evaluate(this.#frame);
      return { value, cost: this.#frame.cost, isCancelled: false };
    } catch (error) {
      if (error instanceof Pause) {
        this.pause = error;
        return undefined;
      }
      if (!(error instanceof Error) || !endings.some((ending) => error instanceof ending)) throw error;
      const isCancelled = error instanceof CostLimitError;
      return { value: new CelError(error.message), cost: this.#frame.cost, isCancelled };
    }
  }

  /** What is left after a pause. */
  *rest(): Work<Evaluation> {
    for (;;) {
      yield this.pause?.until;
      const evaluation = this.proceed();
      if (evaluation !== undefined) return evaluation;
    }
  }
}

/** The error, if any. */
export function failureOf({ value }: Evaluation): string | undefined {
  return isError(value) ? value.message : undefined;
}
