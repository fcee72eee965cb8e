import { CostTrackingError } from '../cost/call-cost.ts';
import { CelError, isError, UnhashableKeyError, type Value } from '../values/value.ts';
import { CostLimitError, Frame, type Limits } from './frame.ts';
import { Pause, withoutPauses } from './pause.ts';
import type { Plan } from './planner.ts';
import { Pausing } from './pausing.ts';

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

/** A compiled expression. Evaluations share no state. */
export class Program {
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Whether evaluations may pause: it has a comprehension, or something to wait for. */
  get mayPause(): boolean {
    return this.#plan.code instanceof Pausing;
  }

  /** Without pauses, for what awaits nothing. */
  evaluate(bindings: Bindings, costLimit: number): Evaluation {
    return withoutPauses(this.begin(bindings, { costLimit }));
  }

  /** Evaluates until the first pause, which is before the start if the time slice is over, or to the end. */
  begin(bindings: Bindings, limits: Limits): Evaluation | Pause<Evaluation> {
    return limits.timeSlice?.isOver === true
      ? new Pause(() => this.#begin(bindings, limits))
      : this.#begin(bindings, limits);
  }

  #begin(bindings: Bindings, limits: Limits): Evaluation | Pause<Evaluation> {
    const { code, inputs, localCount } = this.#plan;
    const values = inputs.map((name) => bindings[name]);
    const frame = new Frame(values, localCount, limits);
    try {
      const value = code instanceof Pausing ? code.begin(frame) : code(frame);
      return value instanceof Pause ? paused(value, frame) : evaluationOf(value, frame);
    } catch (error) {
      return aborted(error, frame);
    }
  }
}

function evaluationOf(value: Value, { cost }: Frame): Evaluation {
  return { value, cost, isCancelled: false };
}

function aborted(error: unknown, { cost }: Frame): Evaluation {
  if (!(error instanceof Error) || !endings.some((ending) => error instanceof ending)) throw error;
  return { value: new CelError(error.message), cost, isCancelled: error instanceof CostLimitError };
}

function paused(pause: Pause<Value>, frame: Frame): Pause<Evaluation> {
  return new Pause(() => {
    try {
      const value = pause.goOn();
      return value instanceof Pause ? paused(value, frame) : evaluationOf(value, frame);
    } catch (error) {
      return aborted(error, frame);
    }
  }, pause.awaited);
}

/** The error, if any. */
export function failureOf({ value }: Evaluation): string | undefined {
  return isError(value) ? value.message : undefined;
}
