import type { Job } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { podNames, templated } from '../../parts/workload/warnings.ts';
import { jobDefaults } from './defaults.ts';
import { jobStatus } from './status-validation.ts';
import { jobStrategy } from './strategy.ts';
import { validateJob, validateJobUpdate } from './validation.ts';
import { jobWarnings } from './warnings.ts';

export const jobKind = defineKind<Job>({
  group: 'batch',
  kind: 'Job',
  strategy: jobStrategy,
  checks: ({ featureGates }) => {
    const mutable = {
      placement: featureGates.get('MutableSchedulingDirectivesForSuspendedJobs') === true,
      resources: featureGates.get('MutablePodResourcesForSuspendedJobs') === true,
    };
    return {
      create: validateJob,
      update: (job, old) => validateJobUpdate(job, old, mutable),
      subresources: { status: jobStatus },
    };
  },
  warnings: templated(({ spec }) => jobWarnings('spec', spec), podNames),
  defaults: jobDefaults,
  table: async () => (await import('./table.ts')).jobs,
});
