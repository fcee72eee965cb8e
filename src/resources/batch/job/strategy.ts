import { goQuote } from '../../../api/go/go-quote.ts';
import type { Strategy } from '../../../registry/kinds/strategy.ts';
import type { Job } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { strategyOfChecks } from '../../kind-checks.ts';
import { selectOwnPods, takeTemplateLabels } from './own-pods.ts';
import { validateJobUpdate } from './validation.ts';

const deletionWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** Jobs with these gates. */
export function jobsAs(_release: string, gates: ReadonlyMap<string, boolean>): Pick<Strategy, 'validateUpdate'> {
  const rules = {
    placement: gates.get('MutableSchedulingDirectivesForSuspendedJobs') === true,
    resources: gates.get('MutablePodResourcesForSuspendedJobs') === true,
  };
  const checks = strategyOfChecks<Job>({ update: (job, old) => validateJobUpdate(job, old, rules) });
  return { validateUpdate: (job, old, context) => checks.validateUpdate?.(job, old, context) ?? [] };
}

export const jobStrategy: StrategyOf<Job> = {
  generation: 'spec',
  garbageCollection: 'orphan',
  selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
  unknownFieldText: (label) => `field label ${goQuote(label)} not supported for Job`,
  prepareForCreate: selectOwnPods,
  canonicalize: takeTemplateLabels,
  deleteWarnings: ({ propagationPolicy, orphanDependents }) =>
    propagationPolicy === undefined && orphanDependents === undefined ? [deletionWarning] : [],
};
