import { nameRules } from '../../../api/meta/names.ts';
import type { Event } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';

/** The names of selectable fields in `events.k8s.io`. */
const namesInEvents: ReadonlyMap<string, string> = new Map([
  ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
    (part) => [`regarding.${part}`, `involvedObject.${part}`] as const,
  ),
  ['reason', 'reason'],
  ['reportingController', 'reportingComponent'],
  ['type', 'type'],
]);

export const eventStrategy: StrategyOf<Event> = {
  nameRule: nameRules.pathSegment,
  validatesMetadata: true,
  allowCreateOnUpdate: true,
  garbageCollection: 'unsupported',
  selectableFields: {
    'involvedObject.kind': ({ involvedObject }) => involvedObject?.kind ?? '',
    'involvedObject.namespace': ({ involvedObject }) => involvedObject?.namespace ?? '',
    'involvedObject.name': ({ involvedObject }) => involvedObject?.name ?? '',
    'involvedObject.uid': ({ involvedObject }) => involvedObject?.uid ?? '',
    'involvedObject.apiVersion': ({ involvedObject }) => involvedObject?.apiVersion ?? '',
    'involvedObject.resourceVersion': ({ involvedObject }) => involvedObject?.resourceVersion ?? '',
    'involvedObject.fieldPath': ({ involvedObject }) => involvedObject?.fieldPath ?? '',
    reason: ({ reason }) => reason ?? '',
    reportingComponent: ({ reportingComponent }) => reportingComponent ?? '',
    source: ({ source, reportingComponent }) => source?.component || (reportingComponent ?? ''),
    type: ({ type }) => type ?? '',
  },
  selectedMembers: ['involvedObject', 'reason', 'reportingComponent', 'source', 'type'],
  selectableField: (name, { group }) => (group === '' ? name : namesInEvents.get(name)),
};
