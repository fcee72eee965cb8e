import type { TableContext } from '../../../registry/kinds/table.ts';
import type { Job } from '../../../schema/kubernetes/generated/types/batch-v1.ts';
import { containerCells, findCondition, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { selectorText } from '../../parts/tables/selector-text.ts';
import { age, timeBetween } from '../../parts/tables/time-text.ts';
import { containerColumns, selectorColumn } from '../../parts/workload/table-columns.ts';

export const jobs = defineTable<Job>({
  columns: [
    nameColumn,
    textColumn('Status', 'State of the job.'),
    textColumn('Completions', 'Succeeded and desired completions.'),
    textColumn('Duration', 'Time from start to completion, or until now.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
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
  return startTime === undefined ? '' : timeBetween(startTime, completionTime, context);
}
