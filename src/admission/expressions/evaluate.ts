import { secondsSince } from '../../api/time/seconds-since.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import type { Compiled } from '../../cel/compile-all.ts';
import { ExpressionError } from '../../cel/compile-expression.ts';
import { Pause, settled } from '../../cel/program/pause.ts';
import { failureOf } from '../../cel/program/program.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import type { Value } from '../../cel/values/value.ts';
import type { ExpressionBindings } from './bindings.ts';

/** The result of one expression. */
export interface ExpressionResult {
  /** Null if it failed. */
  readonly value: Value;
  readonly failure: string | undefined;
  readonly seconds: number;
}

/** The results of all expressions and the remaining budget, or why there are none. */
export type ExpressionResults =
  | { readonly results: readonly ExpressionResult[]; readonly budget: number; readonly failure?: undefined }
  | { readonly failure: string };

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';
const absent: ExpressionResult = { value: null, failure: undefined, seconds: 0 };

/** Evaluates the expressions that concern one write, of which there may be thousands; others run in between. */
export class Evaluator {
  readonly #timeSlice = new TimeSlice();

  /** Expressions that share a budget, in units of cost; those that are absent have no value. */
  async evaluate(
    expressions: readonly (Compiled | undefined)[],
    variables: ExpressionBindings,
    budget: number,
  ): Promise<ExpressionResults> {
    const results: ExpressionResult[] = [];
    let left = budget;
    for (const compiled of expressions) {
      if (compiled === undefined || compiled instanceof ExpressionError) {
        results.push(compiled === undefined ? absent : compilationFailure(compiled));
        continue;
      }
      const beganMs = performance.now();
      const begun = compiled.program.begin(variables.bindings, { costLimit: maxCallCost, timeSlice: this.#timeSlice });
      // oxlint-disable-next-line no-await-in-loop -- most need not be waited for
      const evaluation = begun instanceof Pause ? await settled(begun, this.#timeSlice) : begun;
      left -= evaluation.cost + variables.takeVariableCost();
      if (left < 0) return { failure: outOfBudget };
      const seconds = secondsSince(beganMs);
      const failure = failureOf(evaluation);
      results.push(
        failure === undefined
          ? { value: evaluation.value, failure, seconds }
          : { value: null, failure: `expression '${compiled.text}' resulted in error: ${failure}`, seconds },
      );
    }
    return { results, budget: left };
  }
}

function compilationFailure({ message }: ExpressionError): ExpressionResult {
  return { value: null, failure: `compilation error: ${message}`, seconds: 0 };
}
