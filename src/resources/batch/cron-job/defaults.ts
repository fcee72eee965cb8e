import { keepNotes } from '../../../api/json/written-notes.ts';
import type { Defaulters } from '../../../schema/defaulters.ts';
import type { CronJob } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { typed } from '../../parts/defaults/fill.ts';
import { jobSpecDefaults } from '../job/defaults.ts';

export const cronJobDefaults: Defaulters = {
  ...jobSpecDefaults,
  'io.k8s.api.batch.v1.CronJob': typed<CronJob>((cronJob) => {
    cronJob.spec = keepNotes(cronJob.spec ?? {}, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      ...cronJob.spec,
    });
  }),
};
