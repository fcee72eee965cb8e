import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

// Kinds whose rules are declared with their types; the reference runs with all feature gates and APIs.

function declared(resource: string, kind: string, rest: JsonObject, more: Partial<KindCases>): KindCases {
  const apiVersion = resource.split('/').slice(0, -1).join('/');
  return {
    resource,
    base: { apiVersion, kind, metadata: { name: 'recorded-declared' }, ...rest },
    createWith: { 'metadata.name': 'created' },
    createWithout: ['status'],
    ...more,
  };
}

const claim: JsonObject = { name: 'c', resourceClaimName: 'd' };
const subject = '0a0a0a0a-0b0b-0c0c-0d0d-0e0e0e0e0e0e';
const long = 'a'.repeat(254);

/** Mutations of the fields of a group of pods, at a path. */
function groupFields(path: string): Mutation[] {
  return [
    ...values(`${path}.schedulingPolicy`, undefined, {}, { basic: {}, gang: { minCount: 2 } }, { gang: {} }),
    ...values(`${path}.schedulingPolicy`, { gang: { minCount: -1 } }, { gang: { minCount: 1 } }),
    ...values(`${path}.schedulingConstraints`, {}, { topology: [{}] }, { topology: [{ key: '/' }] }),
    ...values(`${path}.schedulingConstraints`, { topology: [{ key: 'a' }, { key: 'b' }] }),
    ...values(`${path}.resourceClaims`, [{}], [{ name: 'c' }], [claim, claim], Array(5).fill(claim) as JsonObject[]),
    ...values(`${path}.resourceClaims`, [{ ...claim, name: 'A.b', resourceClaimTemplateName: 'A' }]),
    ...values(`${path}.disruptionMode`, undefined, {}, { single: {}, all: {} }, { all: {} }),
    ...values(`${path}.priorityClassName`, 'A', long, 'b'),
    ...values(`${path}.priority`, 1_000_000_001, -5),
    ...values(`${path}.preemptionPolicy`, '', 'x', 'Never'),
  ];
}

const basic: JsonObject = { schedulingPolicy: { basic: {} } };
const leaf: JsonObject = { name: 'leaf', ...basic };
const nested = (depth: number): JsonObject => ({
  name: `n${depth}`,
  ...basic,
  ...(depth === 0 ? { podGroupTemplates: [leaf] } : { compositePodGroupTemplates: [nested(depth - 1)] }),
});

const template = 'spec.podGroupTemplates.0';
const workloads = declared(
  'scheduling.k8s.io/v1beta1/workloads',
  'Workload',
  { spec: { podGroupTemplates: [{ name: 'crew', ...basic, resourceClaims: [claim], schedulingConstraints: {} }] } },
  {
    create: [
      ...groupFields(template),
      ...values(`${template}.name`, undefined, '', 'a.b', 'a'.repeat(64)),
      ...values('spec.podGroupTemplates', [], [leaf, { ...leaf, priority: 1 }]),
      { 'spec.compositePodGroupTemplates': [nested(0)] },
      ...[2, 3].map((depth) => ({ spec: { compositePodGroupTemplates: [nested(depth)] } })),
      {
        spec: {
          compositePodGroupTemplates: [
            { ...nested(0), priorityClassName: 'a' },
            { name: 'leaf', ...basic },
          ],
        },
      },
      ...values('spec.controllerRef', {}, { kind: 'a/b', name: '..', apiGroup: 'A' }, { kind: 'a', name: 'b' }),
    ],
    update: [
      ...groupFields(template),
      ...values(`${template}.name`, 'other'),
      ...values('spec.podGroupTemplates', [], [leaf]),
      ...values('spec.controllerRef', { kind: 'a', name: 'b' }),
    ],
  },
);

const workloadRef: JsonObject = { workloadName: 'fleet', templateName: 'crew' };
const condition: JsonObject = { type: 'A', status: 'True', reason: 'R', lastTransitionTime: '2026-01-02T03:04:05Z' };
const conditions: Mutation[] = [
  ...values('status.conditions', [{}], [condition, condition], [{ ...condition, status: 'x', reason: '-' }]),
  ...values('status.conditions', [{ ...condition, observedGeneration: -1, type: '/' }]),
];

const podGroups = declared(
  'scheduling.k8s.io/v1beta1/podgroups',
  'PodGroup',
  { spec: { workloadRef, schedulingPolicy: { gang: { minCount: 2 } }, resourceClaims: [claim] } },
  {
    create: [
      ...groupFields('spec'),
      ...values('spec.workloadRef', {}, { workloadName: 'A', templateName: 'a.b' }, undefined),
      { 'spec.parentCompositePodGroupName': 'p', 'spec.workloadRef': undefined },
      ...values('spec.parentCompositePodGroupName', '', 'A'),
    ],
    update: [
      ...groupFields('spec'),
      ...values('spec.workloadRef', undefined, { workloadName: 'x', templateName: 'y' }),
      ...values('spec.parentCompositePodGroupName', 'p'),
    ],
    status: [
      ...conditions,
      ...values('status.resourceClaimStatuses', [{}], [{ name: 'c' }, { name: 'c', resourceClaimName: 'A' }]),
    ],
  },
);

const composite: readonly Mutation[] = [
  ...values('spec.schedulingPolicy', undefined, {}, { basic: {} }, { gang: { minGroupCount: 0 } }),
  ...values('spec.workloadRef', undefined, {}, { workloadName: 'x', templateName: 'y' }),
  ...values('spec.disruptionMode', {}, { single: {}, all: {} }),
  ...values('spec.parentCompositePodGroupName', 'A', 'b'),
  ...values('spec.priority', 1_000_000_001),
];
const compositeGroups = declared(
  'scheduling.k8s.io/v1alpha3/compositepodgroups',
  'CompositePodGroup',
  { spec: { workloadRef, schedulingPolicy: { gang: { minGroupCount: 2 } } } },
  { create: composite, update: composite, status: conditions },
);

const jobTemplate: JsonObject = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
const scheduling: readonly Mutation[] = [
  ...values('spec.scheduling', undefined, {}),
  ...values('spec.scheduling.schedulingPolicy', {}, { basic: {}, gang: {} }, { gang: { minCount: 3 } }),
  ...values('spec.scheduling.schedulingPolicy', { gang: { minCount: 0 } }, { gang: {} }, { basic: {} }),
  ...values('spec.scheduling.resourceClaims', [{}], [claim, claim]),
  ...values('spec.scheduling.disruptionMode', {}, { all: {} }, { single: {}, all: {} }),
  ...values('spec.scheduling.schedulingConstraints', { topology: [{}] }),
];
const jobs = declared(
  'batch/v1/jobs',
  'Job',
  { spec: { template: jobTemplate, parallelism: 2, scheduling: { schedulingPolicy: { gang: { minCount: 2 } } } } },
  {
    variant: 'declared',
    createWithout: ['status', 'spec.selector', 'spec.template.metadata', 'metadata.labels'],
    create: scheduling,
    update: scheduling,
  },
);
const plainJobs: KindCases = {
  ...jobs,
  base: { ...jobs.base, metadata: { name: 'recorded-plain' }, spec: { template: jobTemplate } },
  create: [],
  update: values('spec.scheduling', {}, { schedulingPolicy: { basic: {} } }),
};

const target: JsonObject = { pod: { name: 'p', uid: subject } };
const targets = values('spec.target', undefined, {}, { pod: {} }, { pod: { name: 'A', uid: 'a' } });
const requests = declared(
  'lifecycle.k8s.io/v1alpha1/evictionrequests',
  'EvictionRequest',
  { spec: { target, requester: 'pilot.harbor.example/drain', intent: 'Eviction' } },
  {
    create: [
      ...targets,
      ...values('spec.requester', '', 'a', 'a/b/c', 'A_/b', 'x.k8s.io/a', 'KUBERNETES.IO/a', 'k8s.io/b', 'ak8s.io/c'),
      ...values('spec.intent', '', 'x', 'Withdrawn'),
    ],
    update: [...targets, ...values('spec.requester', '', 'a.b/c'), ...values('spec.intent', '', 'x', 'Withdrawn')],
    prepared: [['status', { 'status.observedGeneration': 3 }]],
    status: [...conditions, ...values('status.observedGeneration', 0, 2, 4, undefined)],
  },
);

const pools: JsonObject = { driver: 'a.b', poolName: 'c', generation: 1 };
const poolRequests = declared(
  'resource.k8s.io/v1alpha3/resourcepoolstatusrequests',
  'ResourcePoolStatusRequest',
  { spec: { driver: 'sonar.harbor.example' } },
  {
    clusterScoped: true,
    create: [
      ...values('spec.driver', '', 'A.B', '-', long),
      ...values('spec.poolName', '', 'a//B', long, 'a/b'),
      ...values('spec.limit', 0, 1, 1000, 1001),
      ...values('spec.defaultPartitionTypeAttribute', 'a', 'a/b', '/', `${'a'.repeat(64)}/b`, `a/${'b'.repeat(33)}`),
    ],
    update: values('spec', {}, { driver: 'sonar.harbor.example', limit: 5 }),
    status: [
      ...values('status', {}, { poolCount: -1 }, { poolCount: 1, conditions: [{}] }),
      ...values(
        'status',
        { poolCount: 1, pools: [{}] },
        { poolCount: 1, pools: [pools, { ...pools, totalDevices: -1 }] },
      ),
    ],
  },
);

export const declaredCases: readonly KindCases[] = [
  workloads,
  podGroups,
  compositeGroups,
  jobs,
  plainJobs,
  requests,
  poolRequests,
];
