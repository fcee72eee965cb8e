import type { JsonObject, JsonValue } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';

const status = (...list: readonly JsonValue[]): Mutation[] => list.map((value) => ({ status: value }));
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
const start = '2026-01-01T00:00:00Z';
const end = '2026-01-01T01:00:00Z';
const conditions = (...types: readonly string[]): JsonValue => types.map((type) => ({ type, status: 'True' }));
const complete = { conditions: conditions('SuccessCriteriaMet', 'Complete'), startTime: start, completionTime: end };

const jobStatuses: readonly Mutation[] = [
  {},
  ...status(
    { active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 },
    { active: 1, ready: 2 },
    { uncountedTerminatedPods: { succeeded: ['a', '', 'a'], failed: ['a', 'b', ''] } },
    complete,
    { ...complete, conditions: conditions('Complete') },
    { ...complete, conditions: conditions('Complete', 'Failed') },
    { ...complete, conditions: conditions('Complete', 'FailureTarget', 'SuccessCriteriaMet') },
    { conditions: conditions('SuccessCriteriaMet', 'Complete') },
    { completionTime: end },
    { ...complete, completionTime: '2025-01-01T00:00:00Z' },
    { conditions: conditions('Failed'), startTime: start },
    { conditions: conditions('Failed', 'FailureTarget'), startTime: start },
    { conditions: conditions('Failed', 'FailureTarget', 'SuccessCriteriaMet'), startTime: start },
    { ...complete, active: 1, terminating: 1, uncountedTerminatedPods: { failed: ['a'] } },
    { ...complete, startTime: null },
    { ...complete, uncountedTerminatedPods: {} },
    { startTime: end },
    { startTime: start, active: 2, ready: 2 },
    { failed: 1, succeeded: 1, startTime: start },
    { conditions: [{ type: 'Suspended', status: 'False' }], startTime: end },
    { conditions: conditions('SuccessCriteriaMet') },
  ),
  ...['0', '0-1', '1-0', '1-1', '0,2', '2,0', '0-1-2', 'a', '0-b', '9', '0-9', '0-1,1', '', '-1', ' 1', '+1'].flatMap(
    (text) => status({ startTime: start, completedIndexes: text }, { startTime: start, failedIndexes: text }),
  ),
  ...status(
    { startTime: start, completedIndexes: '0-1', failedIndexes: '1' },
    { startTime: start, completedIndexes: 'a,1', failedIndexes: 'b,1' },
    { startTime: start, completedIndexes: '0,2', failedIndexes: '1' },
  ),
  { 'metadata.labels': { a: 'b' }, 'spec.parallelism': 7 },
];

function jobCase(name: string, spec: JsonObject, prepared: JsonObject | undefined): KindCases {
  const base = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name } };
  return {
    resource: 'batch/v1/jobs',
    variant: name,
    base: { ...base, spec: { template, manualSelector: true, selector: { matchLabels: { a: 'b' } }, ...spec } },
    prepared: prepared === undefined ? [] : [['status', { status: prepared }]],
    status: jobStatuses,
  };
}

const labelled = { metadata: { labels: { a: 'b' } }, ...template };
const indexed = {
  completionMode: 'Indexed',
  completions: 5,
  parallelism: 2,
  backoffLimitPerIndex: 1,
  template: labelled,
};

const jobs: readonly KindCases[] = [
  jobCase('status-plain', { template: labelled }, { startTime: start, active: 1, succeeded: 1, failed: 2 }),
  jobCase('status-indexed', indexed, undefined),
  jobCase('status-policy', { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } }, { failed: 1 }),
  jobCase('status-complete', { template: labelled }, complete),
  jobCase(
    'status-failed',
    { template: labelled },
    { conditions: conditions('FailureTarget', 'Failed'), startTime: start },
  ),
  jobCase(
    'status-suspended',
    { template: labelled, suspend: true, completions: 0 },
    { startTime: start, conditions: conditions('Suspended') },
  ),
];

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const claims: readonly KindCases[] = [
  {
    resource: 'v1/persistentvolumeclaims',
    variant: 'status',
    base: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'status' }, spec: claimSpec },
    prepared: [],
    status: [
      {},
      { 'metadata.resourceVersion': undefined },
      { 'metadata.labels': { a: 'b' }, spec: {} },
      ...status(
        {},
        { phase: 'x', capacity: { storage: '-1' } },
        { phase: 'Bound', capacity: { cpu: '1', storage: '1.5' } },
        { allocatedResources: { storage: '-1' } },
        { allocatedResources: { storage: '1500m' } },
        { allocatedResources: { cpu: '1' } },
        { allocatedResources: { 'a b': '1' } },
        { allocatedResources: { 'example.com/x': '1' } },
        { allocatedResources: { 'kubernetes.io/x': '1' } },
        { allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' } },
        { allocatedResourceStatuses: { storage: 'x' } },
        { allocatedResourceStatuses: { cpu: 'NodeResizePending' } },
        { allocatedResourceStatuses: { 'a b': 'x' } },
        { conditions: [{ type: 'x', status: 'y' }] },
        {
          currentVolumeAttributesClassName: 'a',
          modifyVolumeStatus: { status: 'Pending', targetVolumeAttributesClassName: 'b' },
        },
        { modifyVolumeStatus: { status: 'x' } },
      ),
    ],
  },
  {
    resource: 'v1/persistentvolumes',
    variant: 'status',
    clusterScoped: true,
    base: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'status' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
    },
    prepared: [],
    status: [
      {},
      { 'metadata.resourceVersion': undefined },
      { 'metadata.labels': { a: 'b' }, spec: {} },
      ...status({ phase: 'x' }, { phase: 'Failed', message: 'm', reason: 'r' }),
    ],
  },
];

export const statusCases: readonly KindCases[] = [...jobs, ...claims];
