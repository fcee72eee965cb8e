import { secondsSince } from '../../api/time/seconds-since.ts';
import type { TimeSlice } from '../../api/scheduling/time-slice.ts';
import { ExpressionError } from '../../cel/compile-expression.ts';
import { Pause, settled } from '../../cel/program/pause.ts';
import { failureOf } from '../../cel/program/program.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import type { Value } from '../../cel/values/value.ts';
import type { ExpressionBindings } from './bindings.ts';
import type { Compiled } from './variables.ts';

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

export interface EvaluationLimits {
  /** In units of cost. */
  readonly budget: number;
  /** The time that they share with others. */
  readonly timeSlice: TimeSlice;
}

/** Evaluates expressions that share a budget; those that are absent have no value. */
export async function evaluateAll(
  expressions: readonly (Compiled | undefined)[],
  variables: ExpressionBindings,
  { budget, timeSlice }: EvaluationLimits,
): Promise<ExpressionResults> {
  const results: ExpressionResult[] = [];
  let left = budget;
  for (const compiled of expressions) {
    if (compiled === undefined || compiled instanceof ExpressionError) {
      results.push(compiled === undefined ? absent : compilationFailure(compiled));
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- others run meanwhile
    if (results.length > 0 && timeSlice.isOver) await timeSlice.next();
    const beganMs = performance.now();
    const begun = compiled.program.begin(variables.bindings, maxCallCost, timeSlice);
    // oxlint-disable-next-line no-await-in-loop -- most need not be waited for
    const evaluation = begun instanceof Pause ? await settled(begun, timeSlice) : begun;
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

function compilationFailure({ message }: ExpressionError): ExpressionResult {
  return { value: null, failure: `compilation error: ${message}`, seconds: 0 };
}
