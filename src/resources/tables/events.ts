import type { JsonValue } from '../../api/json.ts';
import type { Event as CoreEvent } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { Event } from '../../schema/kubernetes/generated/types/events-v1.ts';
import type { TableContext } from '../../registry/table.ts';
import { nameOf } from './cell-text.ts';
import { defineTable, nameColumn, textColumn, wide } from './define-table.ts';
import { timeSince } from './time-text.ts';
import { whiteSpace, withoutEdges } from '../../api/text-edges.ts';

const columns = [
  textColumn('Last Seen', 'Time since it happened last.'),
  textColumn('Type', 'Normal or Warning.'),
  textColumn('Reason', 'Short machine-readable reason.'),
  textColumn('Object', 'Kind and name of the object it is about.'),
  wide(textColumn('Subobject', 'Part of that object it is about.')),
  wide(textColumn('Source', 'Component that reports it, and where that runs.')),
  textColumn('Message', 'What happened, for people.'),
  wide(textColumn('First Seen', 'Time since it happened first.')),
  wide(textColumn('Count', 'How often it happened.')),
  wide(nameColumn),
];

export const coreEvents = defineTable<CoreEvent>({ columns, cells: eventCells });

/** The same events in the words of `events.k8s.io`. */
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

function eventCells(event: Readonly<CoreEvent>, context: TableContext): JsonValue[] {
  const { series, involvedObject: { kind = '', name, fieldPath } = {} } = event;
  const firstSeen = event.firstTimestamp ?? event.eventTime;
  const lastSeen = series === undefined ? (event.lastTimestamp ?? firstSeen) : series.lastObservedTime;
  return [
    timeSince(lastSeen, context),
    event.type ?? '',
    event.reason ?? '',
    name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase(),
    fieldPath ?? '',
    eventSource(event),
    withoutEdges(event.message ?? '', whiteSpace),
    timeSince(firstSeen, context),
    series === undefined ? event.count || 1 : (series.count ?? 0),
    nameOf(event),
  ];
}

function eventSource({ source, reportingComponent, reportingInstance }: Readonly<CoreEvent>): string {
  const component = source?.component || (reportingComponent ?? '');
  const instance = source?.host || (reportingInstance ?? '');
  return instance === '' ? component : `${component}, ${instance}`;
}
