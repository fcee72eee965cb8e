import type * as apps from '../../schema/kubernetes/generated/types/apps-v1.ts';
import type * as batch from '../../schema/kubernetes/generated/types/batch-v1.ts';
import { cronJob, cronJobName, cronJobSchedule } from '../batch/cron-job/validation.ts';
import { validateJob, validateJobUpdate } from '../batch/job/validation.ts';
import { type KindValidation, kindValidation } from '../kind-validation.ts';
import { jobStatus } from '../batch/job/status-validation.ts';
import { controllerRevision } from '../apps/controller-revision/validation.ts';
import { controllerRevisionData } from '../apps/controller-revision/validation.ts';
import { controllerRevisionUpdate } from '../apps/controller-revision/validation.ts';
import { daemonSet } from '../apps/daemon-set/validation.ts';
import { daemonSetStatus } from '../apps/daemon-set/validation.ts';
import { deployment } from '../apps/deployment/validation.ts';
import { deploymentStatus } from '../apps/deployment/validation.ts';
import { newStatefulSet } from '../apps/stateful-set/validation.ts';
import { replicaSet } from '../apps/replica-set/validation.ts';
import { replicaSetStatus } from '../parts/workload/validation.ts';
import { selectorUpdate } from '../parts/workload/validation.ts';
import { statefulSetStatus } from '../apps/stateful-set/validation.ts';
import { statefulSetUpdate } from '../apps/stateful-set/validation.ts';

/** Kinds of apps and batch. */
export const workloadValidation: { readonly [kind: string]: KindValidation } = {
  'apps/Deployment': kindValidation<apps.Deployment>({
    both: deployment,
    update: selectorUpdate,
    subresources: { status: deploymentStatus },
  }),
  'apps/ReplicaSet': kindValidation<apps.ReplicaSet>({
    both: replicaSet,
    update: selectorUpdate,
    subresources: { status: replicaSetStatus },
  }),
  'apps/DaemonSet': kindValidation<apps.DaemonSet>({
    create: daemonSet,
    update: function* (object, old) {
      yield* selectorUpdate(object, old);
      yield* daemonSet(object);
    },
    subresources: { status: daemonSetStatus },
  }),
  'apps/StatefulSet': kindValidation<apps.StatefulSet>({
    create: newStatefulSet,
    update: statefulSetUpdate,
    subresources: { status: statefulSetStatus },
  }),
  'apps/ControllerRevision': kindValidation<apps.ControllerRevision>({
    both: controllerRevision,
    create: controllerRevisionData,
    update: controllerRevisionUpdate,
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
