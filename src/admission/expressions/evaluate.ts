import { secondsSince } from '../../api/seconds-since.ts';
import { ExpressionError } from '../../cel/compile-expression.ts';
import { failureOf } from '../../cel/program/program.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import type { Value } from '../../cel/values/value.ts';
import type { ExpressionBindings } from './bindings.ts';
import type { Compiled } from './variables.ts';
import { finish } from '../../api/turns.ts';

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

/** Evaluates expressions that share a budget, in units of cost; those that are absent have no value. */
export function evaluatingAll(
  expressions: readonly (Compiled | undefined)[],
  variables: ExpressionBindings,
  budget: number,
): ExpressionResults {
  const results: ExpressionResult[] = [];
  let left = budget;
  for (const compiled of expressions) {
    if (compiled === undefined || compiled instanceof ExpressionError) {
      results.push(compiled === undefined ? absent : compilationFailure(compiled));
      continue;
    }
    const beganMs = performance.now();
    const run = compiled.program.start(variables.bindings, maxCallCost);
    const evaluation = run.proceed() ?? finish(run.rest());
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
