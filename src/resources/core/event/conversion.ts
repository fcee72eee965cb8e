import type { JsonObject } from '../../../api/json.ts';

/** Fields of the core group's events and those of events.k8s.io/v1. */
const eventFields: readonly (readonly [core: string, named: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

/** An event in the words of the core group. */
export function eventToCore(event: JsonObject): JsonObject {
  return renamed(
    event,
    eventFields.map(([core, named]) => [named, core] as const),
  );
}

/** An event in those of events.k8s.io. */
export function eventFromCore(event: JsonObject): JsonObject {
  return renamed(event, eventFields);
}

/** The object with some of its fields under other names. */
function renamed(object: JsonObject, names: readonly (readonly [from: string, to: string])[]): JsonObject {
  const targets = new Map(names);
  return Object.fromEntries(Object.entries(object).map(([field, value]) => [targets.get(field) ?? field, value]));
}
