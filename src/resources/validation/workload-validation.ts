import type * as apps from '../../schema/kubernetes/generated/types/apps-v1.ts';
import type * as batch from '../../schema/kubernetes/generated/types/batch-v1.ts';
import { cronJob, cronJobName, cronJobSchedule, validateJob, validateJobUpdate } from '../batch/job/validation.ts';
import { type KindValidation, kindValidation } from '../kind-validation.ts';
import { jobStatus } from '../batch/job/status-validation.ts';
import * as workloads from '../parts/workload/validation.ts';

/** Kinds of apps and batch. */
export const workloadValidation: { readonly [kind: string]: KindValidation } = {
  'apps/Deployment': kindValidation<apps.Deployment>({
    both: workloads.deployment,
    update: workloads.selectorUpdate,
    subresources: { status: workloads.deploymentStatus },
  }),
  'apps/ReplicaSet': kindValidation<apps.ReplicaSet>({
    both: workloads.replicaSet,
    update: workloads.selectorUpdate,
    subresources: { status: workloads.replicaSetStatus },
  }),
  'apps/DaemonSet': kindValidation<apps.DaemonSet>({
    create: workloads.daemonSet,
    update: function* (object, old) {
      yield* workloads.selectorUpdate(object, old);
      yield* workloads.daemonSet(object);
    },
    subresources: { status: workloads.daemonSetStatus },
  }),
  'apps/StatefulSet': kindValidation<apps.StatefulSet>({
    create: workloads.newStatefulSet,
    update: workloads.statefulSetUpdate,
    subresources: { status: workloads.statefulSetStatus },
  }),
  'apps/ControllerRevision': kindValidation<apps.ControllerRevision>({
    both: workloads.controllerRevision,
    create: workloads.controllerRevisionData,
    update: workloads.controllerRevisionUpdate,
  }),
  'batch/Job': kindValidation<batch.Job>({
    create: validateJob,
    update: validateJobUpdate,
    subresources: { status: jobStatus },
  }),
  'batch/CronJob': kindValidation<batch.CronJob>({
    create: function* (object) {
      yield* cronJob(object);
      yield* cronJobName(object);
      yield* cronJobSchedule(object);
    },
    update: function* (object, old) {
      yield* cronJob(object, old);
      yield* cronJobSchedule(object);
    },
  }),
};
