import { goQuote } from '../../../api/go/go-quote.ts';
import type { Job } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import { selectOwnPods, takeTemplateLabels } from './own-pods.ts';

const deletionWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

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
