import { joinedErrors } from '../../api/text/error-texts.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';
import type { Compiled } from '../../cel/compile-all.ts';
import type { ExpressionBindings } from './bindings.ts';
import { Evaluator } from './evaluate.ts';

/** The cost limit for all conditions of one webhook or policy. */
const maxConditionsCost = 2_500_000;

/** Whether all conditions are met. */
export interface ConditionsResult {
  readonly matches: boolean;
  /** Why it is not known, if no condition is false. */
  readonly failure: string | undefined;
  /** Conditions that have failed. */
  readonly failures: number;
  readonly seconds: number;
}

/** Evaluates match conditions: a false one decides, whatever the others yield. */
export async function evaluateConditions(
  conditions: readonly Compiled[],
  bindings: ExpressionBindings,
  evaluator = new Evaluator(),
): Promise<ConditionsResult> {
  const beganMs = performance.now();
  const all = await evaluator.evaluate(conditions, bindings, maxConditionsCost);
  const seconds = secondsSince(beganMs);
  if (all.failure !== undefined) return { matches: false, failure: all.failure, failures: 0, seconds };
  const decisive = all.results.findIndex(({ value }) => value === false);
  const seen = decisive === -1 ? all.results : all.results.slice(0, decisive);
  const errors = seen.flatMap(({ failure }) => failure ?? []);
  const failure = decisive === -1 && errors.length > 0 ? joinedErrors(errors) : undefined;
  return { matches: decisive === -1 && failure === undefined, failure, failures: errors.length, seconds };
}
