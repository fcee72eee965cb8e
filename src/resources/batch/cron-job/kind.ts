import type { CronJob } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { defineKind } from '../../define-kind.ts';
import { afterTemplate, podNames, templated } from '../../parts/workload/warnings.ts';
import { jobWarnings } from '../job/warnings.ts';
import { cronJobDefaults } from './defaults.ts';
import { cronJob, cronJobName, declaredOfCronJob } from './validation.ts';

export const cronJobKind = defineKind<CronJob>({
  group: 'batch',
  kind: 'CronJob',
  strategy: { generation: 'spec' },
  checks: {
    create: function* (object) {
      yield* cronJob(object);
      yield* cronJobName(object);
      yield* declaredOfCronJob(object);
    },
    update: function* (object, old) {
      yield* cronJob(object, old);
      yield* declaredOfCronJob(object, old);
    },
  },
  warnings: afterTemplate(
    templated(({ spec }) => jobWarnings('spec.jobTemplate.spec', spec?.jobTemplate?.spec), podNames),
    { update: timeZoneWarnings },
  ),
  defaults: cronJobDefaults,
  table: async () => (await import('./table.ts')).cronJobs,
});

function timeZoneWarnings({ spec }: CronJob): string[] {
  if (spec?.schedule?.includes('TZ') !== true) return [];
  return [
    'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
  ];
}
