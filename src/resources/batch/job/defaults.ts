import type { Defaulters } from '../../../schema/defaulters.ts';
import type { Job } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { fixed, typed } from '../../parts/defaults/fill.ts';
import { podTemplateDefaults } from '../../parts/pod-template/defaults.ts';

/** For the types within jobs and their templates. */
export const jobSpecDefaults: Defaulters = {
  ...podTemplateDefaults,
  'io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern': fixed({ status: 'True' }),
};

export const jobDefaults: Defaulters = {
  ...jobSpecDefaults,
  'io.k8s.api.batch.v1.Job': typed(defaultJob),
};

const maxInt32 = 2_147_483_647;

function defaultJob(job: Job): void {
  job.spec ??= {};
  const { spec } = job;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : maxInt32;
  const labels = spec.template?.metadata?.labels;
  // One map for both, as in the reference: labels added to the pods later also show up on the job.
  if (labels !== undefined && job.metadata?.labels === undefined) job.metadata = { ...job.metadata, labels };
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
}
