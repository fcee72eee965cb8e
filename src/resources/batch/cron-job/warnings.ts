import type { CronJob } from '../../../schema/kubernetes/generated/types/batch-v1.ts';

export function timeZoneWarnings({ spec }: CronJob): string[] {
  if (spec?.schedule?.includes('TZ') !== true) return [];
  return [
    'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
  ];
}
