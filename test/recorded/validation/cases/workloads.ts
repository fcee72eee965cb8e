import type { JsonObject } from '../../../../src/api/json/json.ts';
import type { KindCases, Mutation } from '../case.ts';
import { values } from './values.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'main', image: 'image' }] } };
const selector = { matchLabels: { app: 'a' } };

function object(apiVersion: string, kind: string, spec: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'base' }, spec };
}

const templateCases: readonly Mutation[] = [
  { 'spec.template.metadata.labels': { app: 'b' } },
  { 'spec.template.metadata.labels': { app: 'a', 'x y': 'z' } },
  { 'spec.template.metadata.annotations': { 'x y': 'z' } },
  { 'spec.template.spec.restartPolicy': 'Never' },
  { 'spec.template.spec.activeDeadlineSeconds': 5 },
  { 'spec.template.spec.containers.0.name': 'A' },
  { 'spec.template.spec.containers': [] },
  {
    'spec.template.spec.hostNetwork': true,
    'spec.template.spec.containers.0.ports': [{ containerPort: 1, hostPort: 2, protocol: 'TCP' }],
  },
];
const selectorCases: readonly Mutation[] = [
  { 'spec.selector': { matchLabels: { app: 'b' } } },
  { 'spec.selector': {} },
  { 'spec.selector': undefined },
  { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'Near' }] } },
  { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'In' }] } },
  { 'spec.selector': { matchLabels: { app: 'x y' } } },
];
const selectorUpdate: Mutation = {
  'spec.selector.matchLabels': { app: 'b' },
  'spec.template.metadata.labels': { app: 'b' },
};
const limits: readonly Mutation[] = [
  { 'spec.replicas': -1 },
  { 'spec.minReadySeconds': -1 },
  { 'spec.revisionHistoryLimit': -1 },
];

export const workloadCases: readonly KindCases[] = [
  {
    resource: 'apps/v1/deployments',
    base: object('apps/v1', 'Deployment', { selector, template }),
    create: [
      ...templateCases,
      ...selectorCases,
      ...limits,
      ...values(
        'spec.strategy',
        { type: 'Strange' },
        { type: 'Recreate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: 'x', maxUnavailable: '101%' } },
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: -1, maxUnavailable: -2 } },
        { type: 'Strange', rollingUpdate: { maxSurge: '5%', maxUnavailable: 1 } },
      ),
      { 'spec.progressDeadlineSeconds': 0 },
      { 'spec.progressDeadlineSeconds': -5 },
    ],
    update: [selectorUpdate, { 'spec.replicas': -1 }],
    status: [
      { 'status.replicas': 1, 'status.readyReplicas': 2, 'status.availableReplicas': 3, 'status.updatedReplicas': -1 },
    ],
  },
  {
    resource: 'apps/v1/replicasets',
    base: object('apps/v1', 'ReplicaSet', { selector, template }),
    create: [...templateCases, ...selectorCases.slice(0, 4), ...limits.slice(0, 2)],
    update: [selectorUpdate],
    status: [{ 'status.replicas': -1, 'status.readyReplicas': 2, 'status.fullyLabeledReplicas': 2 }],
  },
  {
    resource: 'apps/v1/daemonsets',
    base: object('apps/v1', 'DaemonSet', { selector, template }),
    create: [
      ...templateCases,
      ...selectorCases,
      ...limits.slice(1),
      ...values(
        'spec.updateStrategy',
        { type: 'Strange' },
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: '150%', maxUnavailable: 'x' } },
      ),
    ],
    update: [selectorUpdate],
    status: [{ 'status.currentNumberScheduled': -1, 'status.numberUnavailable': -2 }],
  },
  {
    resource: 'apps/v1/statefulsets',
    base: object('apps/v1', 'StatefulSet', {
      selector,
      template,
      serviceName: 'service',
      volumeClaimTemplates: [
        {
          metadata: { name: 'claim' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
    create: [
      ...templateCases,
      ...selectorCases,
      ...limits.slice(0, 2),
      { 'spec.podManagementPolicy': 'Sometimes' },
      { 'spec.updateStrategy': { type: 'Strange' } },
      { 'spec.updateStrategy': { type: 'OnDelete', rollingUpdate: { partition: 1, maxUnavailable: 1 } } },
      { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: -1, maxUnavailable: '0%' } } },
      { 'spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'Keep', whenScaled: 'Retain' } },
      { 'spec.serviceName': 'A' },
      { 'spec.ordinals': { start: -1 } },
      { 'spec.volumeClaimTemplates.0.spec.accessModes': [] },
      { 'spec.volumeClaimTemplates.0.spec.resources': {} },
    ],
    update: [selectorUpdate, { 'spec.serviceName': 'other' }, { 'spec.podManagementPolicy': 'Parallel' }],
    status: [{ 'status.replicas': 1, 'status.readyReplicas': 2, 'status.currentReplicas': 3 }],
  },
  {
    resource: 'v1/replicationcontrollers',
    base: object('v1', 'ReplicationController', { selector: { app: 'a' }, template }),
    create: [
      ...templateCases,
      { 'spec.replicas': -1 },
      { 'spec.replicas': -1, 'spec.minReadySeconds': -1, 'spec.template.spec.containers.0.name': 'A' },
      { 'spec.selector': { app: 'b' } },
    ],
    status: [{ 'status.replicas': 1, 'status.readyReplicas': 2 }],
  },
  {
    resource: 'v1/podtemplates',
    base: { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'base' }, template },
    create: [
      ...values('template.spec.containers.0.name', 'A', undefined),
      { 'template.metadata.labels': { 'a b': 'c' } },
      { 'template.spec.restartPolicy': 'x' },
    ],
    update: [{ 'template.spec.dnsPolicy': 'x' }],
  },
  {
    resource: 'apps/v1/controllerrevisions',
    base: {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: 'base' },
      revision: 1,
      data: { a: 1 },
    },
    create: [{ revision: -1 }, { data: undefined }],
    update: [{ data: { a: 2 } }, { revision: -1 }],
  },
];

const jobTemplate = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'image' }] } };
const jobFields: readonly Mutation[] = [
  { parallelism: -1, completions: -1, backoffLimit: -1 },
  { activeDeadlineSeconds: -1, ttlSecondsAfterFinished: -1 },
  { managedBy: 'x' },
  { managedBy: 'A/b|' },
  { completionMode: 'Strange' },
  { completionMode: 'Indexed', completions: undefined },
  { maxFailedIndexes: 5 },
  { backoffLimitPerIndex: 5 },
  { 'template.spec.restartPolicy': 'Always' },
  { 'template.spec.restartPolicy': 'Sometimes' },
  { podReplacementPolicy: 'x' },
  { podFailurePolicy: { rules: [{ action: 'x' }] }, podReplacementPolicy: 'Failed' },
  {
    podFailurePolicy: {
      rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [3, 0, 3], containerName: 'no' } }],
    },
    podReplacementPolicy: 'Failed',
  },
  {
    podFailurePolicy: { rules: [{ action: 'FailJob', onPodConditions: [{ type: 'a b', status: 'x' }] }] },
    podReplacementPolicy: 'Failed',
  },
  { successPolicy: { rules: [{ succeededCount: 1 }] } },
  {
    completionMode: 'Indexed',
    completions: 3,
    successPolicy: { rules: [{}, { succeededIndexes: '0,5', succeededCount: 9 }] },
  },
  {
    completionMode: 'Indexed',
    completions: 3,
    successPolicy: { rules: [{ succeededIndexes: '1-0' }, { succeededIndexes: 'x' }] },
  },
];

function below(prefix: string, list: readonly Mutation[]): Mutation[] {
  return list.map((mutation) =>
    Object.fromEntries(Object.entries(mutation).map(([path, value]) => [`${prefix}.${path}`, value])),
  );
}

export const jobCases: readonly KindCases[] = [
  {
    resource: 'batch/v1/jobs',
    base: object('batch/v1', 'Job', {
      template: { ...jobTemplate, metadata: { labels: { app: 'a' } } },
      manualSelector: true,
      selector,
    }),
    create: [
      ...below('spec', jobFields),
      { 'spec.selector': undefined },
      { 'spec.selector.matchLabels': { app: 'b' } },
    ],
    update: [
      { 'spec.template.spec.containers.0.image': 'other' },
      { 'spec.completions': 5 },
      { 'spec.selector.matchLabels': { app: 'b' } },
      { 'spec.completionMode': 'Indexed' },
      { 'spec.managedBy': 'a.b/c' },
    ],
  },
  {
    resource: 'batch/v1/cronjobs',
    base: object('batch/v1', 'CronJob', { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } }),
    create: [
      ...values(
        'spec.schedule',
        undefined,
        '* * * *',
        '60 * * * *',
        '* * 0 * *',
        '*/0 * * * *',
        '5-1 * * * *',
        '1-2-3 * * * *',
        '1/2/3 * * * *',
        'x * * * *',
        '* * * foo *',
        '-1 * * * *',
        '@never',
        '@every x',
        'TZ=UTC * * * * *',
        'TZ=No/Where * * * * *',
      ),
      ...values('spec.timeZone', '', 'Local', 'No/Where', '../x', 'local'),
      ...values('spec.concurrencyPolicy', 'x'),
      { 'spec.startingDeadlineSeconds': -1, 'spec.successfulJobsHistoryLimit': -1, 'spec.failedJobsHistoryLimit': -1 },
      { 'spec.jobTemplate.spec.selector': selector },
      { 'spec.jobTemplate.spec.manualSelector': true },
      { 'metadata.name': 'a'.repeat(53) },
      ...below('spec.jobTemplate.spec', jobFields.slice(0, 10)),
    ],
    update: [{ 'spec.schedule': 'x' }, { 'spec.timeZone': 'x' }],
  },
];
