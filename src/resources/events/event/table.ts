import type { Event as CoreEvent } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { Event } from '../../../schema/kubernetes/generated/types/events-v1.ts';
import { columns, eventCells } from '../../core/event/table.ts';
import { defineTable } from '../../parts/tables/define-table.ts';

/** The Table of events as served by `events.k8s.io`. */
export const events = defineTable<Event>({
  columns,
  cells: (event, context) => eventCells(asCoreEvent(event), context),
});

function asCoreEvent(event: Readonly<Event>): CoreEvent {
  const { note, regarding, reportingController } = event;
  const { deprecatedSource, deprecatedCount, deprecatedFirstTimestamp, deprecatedLastTimestamp } = event;
  return {
    ...event,
    ...(note !== undefined && { message: note }),
    ...(regarding && { involvedObject: regarding }),
    ...(reportingController !== undefined && { reportingComponent: reportingController }),
    ...(deprecatedSource && { source: deprecatedSource }),
    ...(deprecatedCount !== undefined && { count: deprecatedCount }),
    ...(deprecatedFirstTimestamp !== undefined && { firstTimestamp: deprecatedFirstTimestamp }),
    ...(deprecatedLastTimestamp !== undefined && { lastTimestamp: deprecatedLastTimestamp }),
  };
}
