import { CostTrackingError } from '../cost/call-cost.ts';
import { PendingAnswer } from '../libraries/authorizer.ts';
import { CelError, isError, type Value } from '../values/value.ts';
import { CostLimitError, Frame, InterruptedError, type Limits } from './frame.ts';
import type { Plan } from './planner.ts';

/** The values of variables by name; what is not there is missing only for those who look at it. */
export interface Bindings {
  readonly [name: string]: Value | undefined;
}

export interface Evaluation {
  /** An error when the expression fails. */
  readonly value: Value;
  readonly cost: number;
  /** Given up, since it would have cost more than it may. */
  readonly isCancelled: boolean;
}

/** What ends an evaluation from within. */
const endings = [CostLimitError, InterruptedError, CostTrackingError] as const;

/** An expression as closures. Evaluations share nothing. */
export class Program {
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Throws PendingAnswer when an authorizer does not answer at once; `evaluateWaiting` waits for it. */
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

  /** Evaluates anew with each answer that comes; those that are there are kept. */
  async evaluateWaiting(
    bindings: Bindings,
    costLimit: number,
    isInterrupted?: Limits['isInterrupted'],
  ): Promise<Evaluation> {
    for (;;) {
      try {
        return this.evaluate(bindings, costLimit, isInterrupted);
      } catch (error) {
        if (!(error instanceof PendingAnswer)) throw error;
        // oxlint-disable-next-line no-await-in-loop -- one question leads to the next
        await error.arrival;
      }
    }
  }
}

/** What went wrong, if anything did. */
export function failureOf({ value }: Evaluation): string | undefined {
  return isError(value) ? value.message : undefined;
}
