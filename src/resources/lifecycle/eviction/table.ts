import type { JsonValue } from '../../../api/json/json.ts';
import { canonicalTimeMs } from '../../../api/time/time.ts';
import type { TableContext } from '../../../registry/kinds/table.ts';
import type {
  Eviction,
  EvictionStatus,
  ResponderStatus,
  TargetResponder,
} from '../../../schema/kubernetes/generated/types/lifecycle-v1alpha1.ts';
import { byBytes, listWithMore, nameOf } from '../../parts/tables/cell-text.ts';
import { ageColumn, defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { age, timeSince, timeUntil } from '../../parts/tables/time-text.ts';
import { evictionStatus, statusColumn, targetCells, targetColumns } from '../table-parts.ts';

export const evictions = defineTable<Eviction>({
  columns: [
    nameColumn,
    ...targetColumns,
    statusColumn,
    textColumn('Active Responder', 'Active responder, and its position among all.'),
    textColumn('Responder Status', 'State of the responder.'),
    textColumn('Responder Expected Finish', 'Expected completion time of the responder.'),
    textColumn('Requesters', 'Requester of the eviction.'),
    ageColumn,
    wide(textColumn('Responder Heartbeat', 'Time since the last heartbeat of the responder.')),
    wide(textColumn('Responder Status Message', 'Message of the responder.')),
  ],
  cells(eviction, context) {
    const { spec, status = {} } = eviction;
    const responder = presentResponder(status);
    const report = responder && status.responders?.find(({ name }) => name === responder.name);
    return [
      nameOf(eviction),
      ...targetCells(spec?.target),
      evictionStatus(status),
      responderText(responder, status),
      ...progressCells(responder, report, context),
      requestersText(status),
      age(eviction, context),
      report?.heartbeatTime === undefined ? '<unset>' : `${timeSince(report.heartbeatTime, context)} ago`,
      report?.message?.trim() || '<unset>',
    ];
  },
});

const processedStates = new Set(['Canceled', 'Interrupted', 'Completed']);

function isProcessed({ state = '' }: TargetResponder): boolean {
  return processedStates.has(state);
}

/** The last active responder, else the last processed one. */
function presentResponder({ targetResponders = [] }: EvictionStatus): TargetResponder | undefined {
  return targetResponders.findLast(({ state }) => state === 'Active') ?? targetResponders.findLast(isProcessed);
}

function responderText(responder: TargetResponder | undefined, { targetResponders = [] }: EvictionStatus): string {
  const begun = targetResponders.filter((target) => target.state === 'Active' || isProcessed(target));
  const name = responder === undefined ? '<unset>' : (responder.name ?? '');
  return `${name} (${begun.length}/${targetResponders.length})`;
}

/** The cells of Responder Status and Responder Expected Finish. */
function progressCells(
  responder: TargetResponder | undefined,
  report: ResponderStatus | undefined,
  context: TableContext,
): JsonValue[] {
  if (responder === undefined || report === undefined) return ['<unset>', '<unknown>'];
  const state = responder.state ?? '';
  const { startTime, completionTime } = report;
  if (state === 'Active') {
    if (startTime === undefined) return [state, '<unknown>'];
    return [`Started (${timeSince(startTime, context)} ago)`, expectedFinish(report, context)];
  }
  const completed = state === 'Completed' && completionTime !== undefined;
  return [completed ? `${state} (${timeSince(completionTime, context)} ago)` : state, '-'];
}

function expectedFinish({ expectedCompletionTime: time }: ResponderStatus, context: TableContext): string {
  if (time === undefined) return '<unknown>';
  return canonicalTimeMs(time) > context.nowMs ? `in ${timeUntil(time, context)}` : `${timeSince(time, context)} ago`;
}

function requestersText({ requesters = [] }: EvictionStatus): string {
  if (requesters.length === 0) return '<none>';
  const asking = requesters.filter(({ intent }) => intent !== 'Withdrawn').map(({ name = '' }) => name);
  return asking.length === 0 ? '<withdrawn>' : listWithMore(asking.toSorted(byBytes), 1);
}
