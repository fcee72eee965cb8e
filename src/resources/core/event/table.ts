import type { JsonValue } from '../../../api/json/json.ts';
import { whiteSpace, withoutEdges } from '../../../api/text/text-edges.ts';
import type { TableContext } from '../../../registry/kinds/table.ts';
import type { Event as CoreEvent } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { nameOf } from '../../parts/tables/cell-text.ts';
import { defineTable, nameColumn, textColumn, wide } from '../../parts/tables/define-table.ts';
import { timeSince } from '../../parts/tables/time-text.ts';

export const columns = [
  textColumn('Last Seen', 'Time since the last occurrence.'),
  textColumn('Type', 'Normal or Warning.'),
  textColumn('Reason', 'Short machine-readable reason.'),
  textColumn('Object', 'Kind and name of the involved object.'),
  wide(textColumn('Subobject', 'Part of the object that the event is about.')),
  wide(textColumn('Source', 'Reporting component and its host.')),
  textColumn('Message', 'Human-readable message.'),
  wide(textColumn('First Seen', 'Time since the first occurrence.')),
  wide(textColumn('Count', 'Number of occurrences.')),
  wide(nameColumn),
];

export const coreEvents = defineTable<CoreEvent>({ columns, cells: eventCells });

export function eventCells(event: Readonly<CoreEvent>, context: TableContext): JsonValue[] {
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
