import type { PartContext } from '../../api/contracts/part.ts';
import { keptBy } from '../../api/collections/kept-by.ts';
import { defaultBuckets } from '../../api/metrics/buckets.ts';

/** Takes how long the work on rules takes, in seconds. */
export interface RuleTimes {
  /** The rules of one schema have been compiled. */
  compiled(seconds: number): void;
  /** The rules of one value and of all values in it have been evaluated. */
  evaluated(seconds: number): void;
}

export const untimed: RuleTimes = { compiled: () => undefined, evaluated: () => undefined };

const shape = {
  type: 'histogram',
  labelNames: [],
  buckets: defaultBuckets,
} as const;

/** Registers the metrics of rules, once. */
export const ruleTimes = keptBy((metric: PartContext['metric']): RuleTimes => {
  const compilations = metric({
    ...shape,
    name: 'apiserver_cel_compilation_duration_seconds',
    help: '[BETA] How long the compilation of the validation rules of a schema took, in seconds.',
  });
  const evaluations = metric({
    ...shape,
    name: 'apiserver_cel_evaluation_duration_seconds',
    help: '[BETA] How long the evaluation of validation rules for a value and all in it took, in seconds.',
  });
  for (const each of [compilations, evaluations]) each.start({});
  return { compiled: compilations.observer({}), evaluated: evaluations.observer({}) };
});
