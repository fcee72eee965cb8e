import type { JsonObject } from '../../../../src/api/json/json.ts';
import { ago, day, hour, minute, type SampleBody, samplesOf } from '../sample.ts';

const groupSpec = { schedulingPolicy: { basic: {} } };
const gang = { schedulingPolicy: { gang: { minCount: 3 } } };
const workloadRef = { workloadName: 'w', templateName: 't' };

function condition(type: string, status: string, reason: string): JsonObject {
  return { type, status, reason, message: 'm', lastTransitionTime: ago(5 * minute) };
}

const claimSpec = {
  devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 } }] },
};
const allocation = {
  nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
};
const reservedFor = [{ resource: 'pods', name: 'web-1', uid: 'u' }];

const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
const pools = [
  {
    driver: 'd.example.com',
    poolName: 'p',
    generation: 1,
    resourceSliceCount: 1,
    totalDevices: 8,
    availableDevices: 5,
    allocatedDevices: 2,
    unavailableDevices: 1,
  },
  {
    driver: 'd.example.com',
    poolName: 'q',
    nodeName: 'node-1',
    generation: 1,
    resourceSliceCount: 1,
    totalDevices: 4,
    availableDevices: 4,
    allocatedDevices: 0,
    unavailableDevices: 0,
  },
];
const brokenPool = { driver: 'd.example.com', poolName: 'r', generation: 1, validationError: 'incomplete' };
const poolRequest = { spec: { driver: 'd.example.com' } };

const target = { pod: { name: 'web-1', uid: '3d7fdff1-3fe5-48b9-b106-1ee24b0277f6' } };
const evictionSpec = { spec: { target } };
const asking = [
  { name: 'b.example.com/drain', intent: 'Eviction' },
  { name: 'a.example.com/drain', intent: 'Eviction' },
  { name: 'c.example.com/drain', intent: 'Withdrawn' },
];

/** Responders in these states, in order of precedence. */
function responders(...states: string[]): JsonObject[] {
  return states.map((state, index) => ({ name: `r${index}.example.com/r`, state, priority: 9_000 - index }));
}

/** Their reports. */
function reports(...values: JsonObject[]): JsonObject[] {
  return values.map((value, index) => ({ name: `r${index}.example.com/r`, ...value }));
}

const started = { startTime: ago(10) };
const busy = { ...started, heartbeatTime: ago(2), message: ' at work\n', expectedCompletionTime: ago(-2 * hour) };
const done = { ...busy, completionTime: ago(1) };
const begun = { targetResponders: responders('Active', 'Inactive'), responders: reports(busy, {}) };

/** Successive states of one eviction. */
function eviction(...status: JsonObject[]): SampleBody {
  return { body: evictionSpec, status: status.map((step) => ({ observedGeneration: 1, ...step })) };
}

export const schedulingSamples = [
  ...samplesOf('scheduling.k8s.io/v1/priorityclasses', [
    { body: { value: 1000 } },
    { body: { value: -5, preemptionPolicy: 'Never' } },
    { body: { value: 0, globalDefault: true } },
  ]),
  ...samplesOf('scheduling.k8s.io/v1beta1/workloads', [
    { body: { spec: { podGroupTemplates: [{ name: 'g', schedulingPolicy: { basic: {} } }] } } },
  ]),
  ...samplesOf('scheduling.k8s.io/v1beta1/podgroups', [
    { body: { spec: { ...groupSpec, workloadRef } } },
    { body: { spec: gang }, status: { conditions: [condition('PodGroupInitiallyScheduled', 'True', 'Scheduled')] } },
    {
      body: { spec: gang },
      status: { conditions: [condition('PodGroupInitiallyScheduled', 'False', 'Unschedulable')] },
    },
    {
      body: { spec: gang },
      status: {
        conditions: [
          condition('PodGroupInitiallyScheduled', 'True', 'Scheduled'),
          condition('DisruptionTarget', 'True', 'PreemptionByScheduler'),
        ],
      },
    },
  ]),
  ...samplesOf('scheduling.k8s.io/v1alpha3/compositepodgroups', [
    { body: { spec: { ...groupSpec, workloadRef } } },
    { body: { spec: { workloadRef, schedulingPolicy: { gang: { minGroupCount: 2 } } } } },
  ]),
  ...samplesOf('resource.k8s.io/v1/deviceclasses', [{ body: { spec: {} } }]),
  ...samplesOf('resource.k8s.io/v1/resourceclaimtemplates', [{ body: { spec: { spec: claimSpec } } }]),
  ...samplesOf('resource.k8s.io/v1/resourceclaims', [
    { body: { spec: claimSpec } },
    { body: { spec: claimSpec }, status: { allocation } },
    { body: { spec: claimSpec }, status: { allocation, reservedFor } },
    { deleted: true, body: { spec: claimSpec } },
    { deleted: true, body: { spec: claimSpec }, status: { allocation, reservedFor } },
  ]),
  ...samplesOf('resource.k8s.io/v1/resourceslices', [
    { body: { spec: { driver: 'd.example.com', pool, nodeName: 'node-1' } } },
    { body: { spec: { driver: 'd.example.com', pool, allNodes: true } } },
  ]),
  ...samplesOf('resource.k8s.io/v1/devicetaintrules', [
    { body: { spec: { taint: { key: 'example.com/k', value: 'v', effect: 'NoSchedule' } } } },
    { body: { spec: { taint: { key: 'example.com/k', effect: 'NoExecute', timeAdded: ago(4 * day) } } } },
  ]),
  ...samplesOf('resource.k8s.io/v1alpha3/resourcepoolstatusrequests', [
    { body: poolRequest },
    {
      body: poolRequest,
      status: { poolCount: 2, pools, conditions: [condition('Complete', 'True', 'Done')] },
    },
    {
      body: poolRequest,
      status: { poolCount: 7, pools: [...pools, brokenPool], conditions: [condition('Complete', 'True', 'Done')] },
    },
    { body: poolRequest, status: { poolCount: 0, conditions: [condition('Failed', 'True', 'Broken')] } },
  ]),
  ...samplesOf('lifecycle.k8s.io/v1alpha1/evictionrequests', [
    { body: { spec: { target, requester: 'a.example.com/drain', intent: 'Eviction' } } },
    {
      body: { spec: { target, requester: 'b.example.com/drain', intent: 'Eviction' } },
      status: { observedGeneration: 1, conditions: [condition('TargetEvicted', 'True', 'PodDeleted')] },
    },
  ]),
  ...samplesOf('lifecycle.k8s.io/v1alpha1/evictions', [
    { body: evictionSpec },
    eviction({}),
    eviction({ requesters: asking }),
    eviction({ requesters: asking.slice(0, 1), ...begun }),
    eviction({ requesters: asking.slice(2), targetResponders: responders('Active'), responders: reports(started) }),
    eviction({
      targetResponders: responders('Active'),
      responders: reports({ ...started, expectedCompletionTime: ago(-1) }),
    }),
    eviction(
      begun,
      { targetResponders: responders('Active', 'Inactive'), responders: reports(done, {}) },
      { targetResponders: responders('Completed', 'Active'), responders: reports(done, started) },
    ),
    eviction(
      begun,
      { targetResponders: responders('Active', 'Inactive'), responders: reports(done, {}) },
      {
        conditions: [condition('TargetEvicted', 'True', 'PodDeleted')],
        targetResponders: responders('Completed', 'Inactive'),
        responders: reports(done, {}),
      },
    ),
    eviction(begun, {
      conditions: [condition('Failed', 'True', 'CanceledDueToNoRequesters')],
      targetResponders: responders('Canceled', 'Inactive'),
      responders: reports(busy, {}),
    }),
  ]),
];
