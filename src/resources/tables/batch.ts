import type { CronJob, Job } from '../../schema/kubernetes/generated/types/batch-v1.ts';
import type { TableContext } from '../../registry/table.ts';
import { containerCells, findCondition, nameOf } from './cell-text.ts';
import { ageColumn, booleanColumn, defineTable, integerColumn, nameColumn, textColumn, wide } from './define-table.ts';
import { selectorText } from './selector-text.ts';
import { age, timeBetween, timeSince } from './time-text.ts';

const wideColumns = [
  wide(textColumn('Containers', 'Names of the containers.')),
  wide(textColumn('Images', 'Images of the containers.')),
  wide(textColumn('Selector', 'Labels of the pods that it counts.')),
];

export const jobs = defineTable<Job>({
  columns: [
    nameColumn,
    textColumn('Status', 'How far the job is.'),
    textColumn('Completions', 'Pods that succeeded, of those that should.'),
    textColumn('Duration', 'Time from the start to the end, or until now.'),
    ageColumn,
    ...wideColumns,
  ],
  cells(job, context) {
    const { names, images } = containerCells(job.spec?.template?.spec?.containers);
    return [
      nameOf(job),
      jobStatus(job),
      jobCompletions(job),
      jobDuration(job, context),
      age(job, context),
      names,
      images,
      selectorText(job.spec?.selector),
    ];
  },
});

function jobStatus({ metadata, status }: Readonly<Job>): string {
  const has = (type: string): boolean => findCondition(status?.conditions, type)?.status === 'True';
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (metadata?.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function jobCompletions({ spec = {}, status }: Readonly<Job>): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration({ status: { startTime, completionTime } = {} }: Readonly<Job>, context: TableContext): string {
  if (startTime === undefined) return '';
  return completionTime === undefined ? timeSince(startTime, context) : timeBetween(startTime, completionTime);
}

export const cronJobs = defineTable<CronJob>({
  columns: [
    nameColumn,
    textColumn('Schedule', 'When it runs, in cron format.'),
    textColumn('Timezone', 'Time zone of the schedule.'),
    booleanColumn('Suspend', 'Whether runs are held back.'),
    integerColumn('Active', 'Number of jobs that run now.'),
    textColumn('Last Schedule', 'Time since it was scheduled last.'),
    ageColumn,
    ...wideColumns,
  ],
  cells(cronJob, context) {
    const { spec = {}, status = {} } = cronJob;
    const { names, images } = containerCells(spec.jobTemplate?.spec?.template?.spec?.containers);
    return [
      nameOf(cronJob),
      spec.schedule ?? '',
      spec.timeZone ?? '<none>',
      spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
      status.active?.length ?? 0,
      status.lastScheduleTime === undefined ? '<none>' : timeSince(status.lastScheduleTime, context),
      age(cronJob, context),
      names,
      images,
      selectorText(spec.jobTemplate?.spec?.selector),
    ];
  },
});
