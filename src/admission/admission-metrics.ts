import type { AdmissionOperation } from '../api/contracts/admission.ts';
import type { PartContext } from '../api/contracts/part.ts';

/** Receives durations, and whether the request was rejected. */
export type Observe = (tookMs: number, rejected: boolean) => void;

export interface AdmissionMetrics {
  readonly ofPhase: (type: string, operation: AdmissionOperation) => Observe;
  readonly ofPlugin: (name: string, type: string, operation: AdmissionOperation) => Observe;
}

const prefix = 'apiserver_admission';
const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const summaryPeriodMs = 5 * 3_600_000;

/** Durations of plugins and of both phases. */
export function admissionMetrics({ metric }: Pick<PartContext, 'metric'>): AdmissionMetrics {
  const ofPhase = { labelNames: ['type', 'operation', 'rejected'], help: 'Time of one phase of admission in seconds.' };
  const phases = metric({ name: `${prefix}_step_admission_duration_seconds`, type: 'histogram', buckets, ...ofPhase });
  const summary = metric({
    name: `${prefix}_step_admission_duration_seconds_summary`,
    type: 'summary',
    periodMs: summaryPeriodMs,
    ...ofPhase,
  });
  const plugins = metric({
    name: `${prefix}_controller_admission_duration_seconds`,
    type: 'histogram',
    buckets,
    labelNames: ['name', ...ofPhase.labelNames],
    help: 'Time of one admission plugin in seconds.',
  });
  return {
    ofPhase(type, operation) {
      const observe = observing((labels) => phases.observer({ type, operation, ...labels }));
      const summarize = observing((labels) => summary.observer({ type, operation, ...labels }));
      return (tookMs, rejected) => {
        observe(tookMs, rejected);
        summarize(tookMs, rejected);
      };
    },
    ofPlugin: (name, type, operation) => observing((labels) => plugins.observer({ name, type, operation, ...labels })),
  };
}

function observing(observerOf: (labels: { readonly rejected: string }) => (seconds: number) => void): Observe {
  const [admitted, refused] = ['false', 'true'].map((rejected) => observerOf({ rejected }));
  return (tookMs, rejected) => (rejected ? refused : admitted)?.(tookMs / 1000);
}
