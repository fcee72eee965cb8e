import type { AdmissionOperation } from '../../api/contracts/admission.ts';
import { keptBy } from '../../api/collections/kept-by.ts';
import type { Metric } from '../../api/metrics/metric.ts';
import type { PartContext } from '../../api/contracts/part.ts';

const prefix = 'apiserver_admission_match_condition';
const buckets = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];
const labelNames = ['name', 'kind', 'type', 'operation'];

/** The owner of the conditions, as metric labels. */
export interface ConditionLabels {
  readonly kind: 'webhook' | 'policy';
  readonly type: 'admit' | 'validating' | 'validate';
}

export interface EvaluatedConditions {
  readonly name: string;
  readonly operation: AdmissionOperation;
}

/** Metrics of match conditions; all plugins share the series. */
export class ConditionMetrics {
  readonly #labels: ConditionLabels;
  readonly #series: ConditionSeries;

  constructor(labels: ConditionLabels, context: Pick<PartContext, 'metric'>) {
    this.#labels = labels;
    this.#series = seriesOf(context);
  }

  evaluated(
    { name, operation }: EvaluatedConditions,
    { seconds, failures }: { readonly seconds: number; readonly failures: number },
  ): void {
    const labels = { name, ...this.#labels, operation };
    this.#series.seconds.observe(seconds, labels);
    for (let left = failures; left > 0; left -= 1) this.#series.errors.add(labels);
  }

  /** They kept a webhook from being called. */
  excluded({ name, operation }: EvaluatedConditions): void {
    this.#series.exclusions.add({ name, ...this.#labels, operation });
  }
}

interface ConditionSeries {
  readonly seconds: Metric;
  readonly errors: Metric;
  readonly exclusions: Metric;
}

const seriesOf = keptBy(({ metric }: Pick<PartContext, 'metric'>): ConditionSeries => ({
  seconds: metric({
    name: `${prefix}_evaluation_seconds`,
    type: 'histogram',
    buckets,
    labelNames,
    help: 'Duration of match conditions, in seconds.',
  }),
  errors: metric({
    name: `${prefix}_evaluation_errors_total`,
    type: 'counter',
    labelNames,
    help: 'Failed evaluations of match conditions.',
  }),
  exclusions: metric({
    name: `${prefix}_exclusions_total`,
    type: 'counter',
    labelNames,
    help: 'Requests excluded by match conditions.',
  }),
}));
