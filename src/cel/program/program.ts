import type { Soon } from '../../api/soon.ts';
import { CostTrackingError } from '../cost/call-cost.ts';
import { PendingAnswer } from '../libraries/authorizer.ts';
import { CelError, isError, UnhashableKeyError, type Value } from '../values/value.ts';
import { CostLimitError, Frame, InterruptedError, type Limits } from './frame.ts';
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
const endings = [CostLimitError, InterruptedError, CostTrackingError, UnhashableKeyError] as const;

/** An expression compiled to closures. Evaluations share no state. */
export class Program {
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Throws PendingAnswer when an authorizer is asynchronous; `evaluateWaiting` awaits it. */
  evaluate(bindings: Bindings, costLimit: number, isInterrupted?: Limits['isInterrupted']): Evaluation {
    const { evaluate, inputs, localCount } = this.#plan;
    const frame = new Frame(
      inputs.map((name) => bindings[name]),
      localCount,
      { cost: costLimit, isInterrupted },
    );
    try {
      const value = evaluate(frame);
      return { value, cost: frame.cost, isCancelled: false };
    } catch (error) {
      if (!(error instanceof Error) || !endings.some((ending) => error instanceof ending)) throw error;
      const isCancelled = error instanceof CostLimitError;
      return { value: new CelError(error.message), cost: frame.cost, isCancelled };
    }
  }

  /** Re-evaluates whenever a pending decision arrives; decisions are cached. */
  evaluateWaiting(bindings: Bindings, costLimit: number, isInterrupted?: Limits['isInterrupted']): Soon<Evaluation> {
    try {
      return this.evaluate(bindings, costLimit, isInterrupted);
    } catch (error) {
      if (!(error instanceof PendingAnswer)) throw error;
      return error.arrival.then(() => this.evaluateWaiting(bindings, costLimit, isInterrupted));
    }
  }
}

/** The error, if any. */
export function failureOf({ value }: Evaluation): string | undefined {
  return isError(value) ? value.message : undefined;
}
