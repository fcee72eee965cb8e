import type { PriorityLevelConfiguration } from '../../../schema/kubernetes/generated/types/flowcontrol-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn } from '../../parts/tables/define-table.ts';
import { age } from '../../parts/tables/time-text.ts';

export const priorityLevelConfigurations = defineTable<PriorityLevelConfiguration>({
  columns: [
    nameColumn,
    textColumn('Type', 'Whether the level is limited.'),
    textColumn('NominalConcurrencyShares', 'Nominal concurrency share.'),
    textColumn('Queues', 'Number of queues.'),
    textColumn('HandSize', 'Number of queues considered for a flow.'),
    textColumn('QueueLengthLimit', 'Maximum length of a queue.'),
    ageColumn,
  ],
  cells(level, context) {
    const { limited } = level.spec ?? {};
    const queuing = limited?.limitResponse?.queuing;
    return [
      nameOf(level),
      level.spec?.type ?? '',
      limited === undefined ? '<none>' : (limited.nominalConcurrencyShares ?? 0),
      queuing === undefined ? '<none>' : (queuing.queues ?? 0),
      queuing === undefined ? '<none>' : (queuing.handSize ?? 0),
      queuing === undefined ? '<none>' : (queuing.queueLengthLimit ?? 0),
      age(level, context),
    ];
  },
});
