import type { CronJob } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { containerCells, nameOf } from '../../parts/tables/cell-text.ts';
import {
  ageColumn,
  booleanColumn,
  defineTable,
  integerColumn,
  nameColumn,
  textColumn,
} from '../../parts/tables/define-table.ts';
import { selectorText } from '../../parts/tables/selector-text.ts';
import { age, timeSince } from '../../parts/tables/time-text.ts';
import { containerColumns, selectorColumn } from '../../parts/workload/table-columns.ts';

export const cronJobs = defineTable<CronJob>({
  columns: [
    nameColumn,
    textColumn('Schedule', 'Schedule in cron format.'),
    textColumn('Timezone', 'Time zone of the schedule.'),
    booleanColumn('Suspend', 'Whether the schedule is suspended.'),
    integerColumn('Active', 'Number of running jobs.'),
    textColumn('Last Schedule', 'Time since it was last scheduled.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
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
