import type { TableContext, TableRowCondition } from '../../../registry/kinds/table.ts';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { findCondition, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { age, timeSince } from '../../parts/tables/time-text.ts';
import { type Restarts, summarizePod } from './pod-summary.ts';

export const pods = defineTable<Pod>({
  columns: [
    nameColumn,
    textColumn('Ready', 'Ready and desired containers.'),
    textColumn('Status', 'State of the pod, or why it is not running.'),
    textColumn('Restarts', 'Number of container restarts, and the time since the last one.'),
    ageColumn,
    wide(textColumn('IP', 'First address of the pod.')),
    wide(textColumn('Node', 'Node that the pod runs on.')),
    wide(textColumn('Nominated Node', 'Node on which pods are preempted for this pod.')),
    wide(textColumn('Readiness Gates', 'Passed and total readiness gates.')),
  ],
  cells(pod, context) {
    const { status, readyContainers, totalContainers, restarts } = summarizePod(pod);
    return [
      nameOf(pod),
      `${readyContainers}/${totalContainers}`,
      status,
      restartsText(restarts, context),
      age(pod, context),
      pod.status?.podIP || pod.status?.podIPs?.[0]?.ip || '<none>',
      pod.spec?.nodeName || '<none>',
      pod.status?.nominatedNodeName || '<none>',
      readinessGates(pod),
    ];
  },
  rowConditions: ({ status }) => rowConditions.get(status?.phase ?? ''),
});

const rowConditions: ReadonlyMap<string, readonly TableRowCondition[]> = new Map([
  ['Succeeded', [completed('Succeeded', 'The pod has completed successfully.')]],
  ['Failed', [completed('Failed', 'The pod failed.')]],
]);

function completed(reason: string, message: string): TableRowCondition {
  return { type: 'Completed', status: 'True', reason, message };
}

function restartsText({ count, lastAt }: Restarts, context: TableContext): string {
  return count === 0 || lastAt === undefined ? `${count}` : `${count} (${timeSince(lastAt, context)} ago)`;
}

function readinessGates({ spec, status }: Readonly<Pod>): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(
    ({ conditionType = '' }) => findCondition(status?.conditions, conditionType)?.status === 'True',
  );
  return `${open.length}/${gates.length}`;
}
