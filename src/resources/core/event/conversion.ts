import type { JsonObject } from '../../../api/json/json.ts';

/** Field names in the core group and in events.k8s.io/v1. */
const eventFields: readonly (readonly [core: string, named: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

/** An event with the field names of the core group. */
export function eventToCore(event: JsonObject): JsonObject {
  return renamed(
    event,
    eventFields.map(([core, named]) => [named, core] as const),
  );
}

/** An event with the field names of events.k8s.io. */
export function eventFromCore(event: JsonObject): JsonObject {
  return renamed(event, eventFields);
}

/** Renames fields of the object. */
function renamed(object: JsonObject, names: readonly (readonly [from: string, to: string])[]): JsonObject {
  const targets = new Map(names);
  return Object.fromEntries(Object.entries(object).map(([field, value]) => [targets.get(field) ?? field, value]));
}
