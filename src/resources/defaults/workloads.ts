import { cloneData } from '../../api/json.ts';
import type { Defaulters } from '../../schema/defaulters.ts';
import type { DaemonSet, Deployment, StatefulSet } from '../../schema/kubernetes/generated/types/apps-v1.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
} from '../../schema/kubernetes/generated/types/autoscaling-v2.ts';
import type { CronJob, Job } from '../../schema/kubernetes/generated/types/batch-v1.ts';
import { fixed, typed } from '../parts/defaults/fill.ts';

const historyLimit = 10;

/** Defaults of apps, batch and autoscaling. */
export const workloadDefaults: Defaulters = {
  'io.k8s.api.apps.v1.DaemonSet': typed(defaultDaemonSet),
  'io.k8s.api.apps.v1.Deployment': typed(defaultDeployment),
  'io.k8s.api.apps.v1.ReplicaSetSpec': fixed({ replicas: 1 }),
  'io.k8s.api.apps.v1.StatefulSet': typed(defaultStatefulSet),
  'io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerSpec': fixed({ minReplicas: 1 }),
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler': typed(defaultAutoscaler),
  'io.k8s.api.batch.v1.CronJob': typed<CronJob>((cronJob) => {
    cronJob.spec = {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      ...cronJob.spec,
    };
  }),
  'io.k8s.api.batch.v1.Job': typed(defaultJob),
  'io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern': fixed({ status: 'True' }),
};

function defaultDeployment(deployment: Deployment): void {
  const spec = { replicas: 1, revisionHistoryLimit: historyLimit, progressDeadlineSeconds: 600, ...deployment.spec };
  deployment.spec = spec;
  spec.strategy = { type: 'RollingUpdate', ...spec.strategy };
  if (spec.strategy.type !== 'RollingUpdate') return;
  spec.strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...spec.strategy.rollingUpdate };
}

function defaultDaemonSet(daemonSet: DaemonSet): void {
  const spec = { revisionHistoryLimit: historyLimit, ...daemonSet.spec };
  daemonSet.spec = spec;
  spec.updateStrategy = { type: 'RollingUpdate', ...spec.updateStrategy };
  const { type, rollingUpdate } = spec.updateStrategy;
  // The internal form of these amounts is never absent.
  const maxUnavailable = type === 'RollingUpdate' ? 1 : 0;
  if (type !== 'RollingUpdate' && rollingUpdate === undefined) return;
  spec.updateStrategy.rollingUpdate = { maxUnavailable, maxSurge: 0, ...rollingUpdate };
}

function defaultStatefulSet(statefulSet: StatefulSet): void {
  const spec = {
    podManagementPolicy: 'OrderedReady',
    replicas: 1,
    revisionHistoryLimit: historyLimit,
    ...statefulSet.spec,
  } as NonNullable<StatefulSet['spec']>;
  statefulSet.spec = spec;
  if (spec.updateStrategy?.type === undefined) {
    spec.updateStrategy = {
      ...spec.updateStrategy,
      type: 'RollingUpdate',
      rollingUpdate: spec.updateStrategy?.rollingUpdate ?? {},
    };
  }
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion ??= 'v1';
    claim.kind ??= 'PersistentVolumeClaim';
  }
  const { rollingUpdate } = spec.updateStrategy;
  if (spec.updateStrategy.type === 'RollingUpdate' && rollingUpdate !== undefined) {
    rollingUpdate.partition ??= 0;
    // The gate MaxUnavailableStatefulSet is on by default.
    rollingUpdate.maxUnavailable ??= 1;
  }
  for (const claim of spec.volumeClaimTemplates ?? [])
    Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
  spec.persistentVolumeClaimRetentionPolicy = {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
    ...spec.persistentVolumeClaimRetentionPolicy,
  };
}

const maxInt32 = 2_147_483_647;

function defaultJob(job: Job): void {
  job.spec ??= {};
  const { spec } = job;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : maxInt32;
  const labels = spec.template?.metadata?.labels;
  // One map for both, as in the reference: what is added to the labels of the pods later is added to those of the job.
  if (labels !== undefined && job.metadata?.labels === undefined) job.metadata = { ...job.metadata, labels };
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
}

const scaleUp: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};

const scaleDown: HPAScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

function defaultAutoscaler(autoscaler: HorizontalPodAutoscaler): void {
  autoscaler.spec ??= {};
  const { spec } = autoscaler;
  spec.minReplicas ??= 1;
  spec.metrics ??= [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ];
  if (spec.behavior !== undefined) spec.behavior = defaultedBehavior(spec.behavior);
}

export function defaultedBehavior(behavior: HorizontalPodAutoscalerBehavior): HorizontalPodAutoscalerBehavior {
  return {
    ...behavior,
    scaleUp: { ...cloneData(scaleUp), ...behavior.scaleUp },
    scaleDown: { ...cloneData(scaleDown), ...behavior.scaleDown },
  };
}
