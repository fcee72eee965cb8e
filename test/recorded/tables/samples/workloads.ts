import type { JsonObject } from '../../../../src/api/json/json.ts';
import { ago, day, hour, minute, podTemplate, samplesOf, webSelector } from '../sample.ts';

const once = podTemplate(['job:v1'], { restartPolicy: 'Never' });
const expressions = {
  matchLabels: { app: 'web' },
  matchExpressions: [
    { key: 'tier', operator: 'DoesNotExist' },
    { key: 'app', operator: 'In', values: ['web', 'api'] },
  ],
};

function condition(type: string, status = 'True'): JsonObject {
  return { type, status, lastProbeTime: ago(minute), lastTransitionTime: ago(minute) };
}

function owner(kind: string, apiVersion: string, controller: boolean): JsonObject {
  return { ownerReferences: [{ apiVersion, kind, name: 'web', uid: 'u', controller }] };
}

function jobSpec(spec: JsonObject = {}): JsonObject {
  return { spec: { template: once, ...spec } };
}

export const workloadSamples = [
  ...samplesOf('apps/v1/deployments', [
    { scale: true, body: { spec: { selector: webSelector, template: podTemplate(['nginx:1.29', 'envoy:v1']) } } },
    {
      scale: true,
      body: { spec: { replicas: 4, selector: expressions, template: podTemplate(['nginx']) } },
      status: { replicas: 5, updatedReplicas: 4, readyReplicas: 3, availableReplicas: 2 },
    },
    { scale: true, body: { spec: { replicas: 0, selector: webSelector, template: podTemplate(['nginx']) } } },
  ]),
  ...samplesOf('apps/v1/replicasets', [
    { scale: true, body: { spec: { selector: webSelector, template: podTemplate(['nginx', 'envoy']) } } },
    {
      body: { spec: { replicas: 3, selector: expressions, template: podTemplate(['nginx']) } },
      status: { replicas: 3, readyReplicas: 2 },
    },
  ]),
  ...samplesOf('apps/v1/statefulsets', [
    { scale: true, body: { spec: { selector: webSelector, template: podTemplate(['db:v1']) } } },
    {
      body: { spec: { replicas: 3, selector: webSelector, template: podTemplate(['db:v1', 'proxy']) } },
      status: { replicas: 3, readyReplicas: 2 },
    },
  ]),
  ...samplesOf('apps/v1/daemonsets', [
    { body: { spec: { selector: webSelector, template: podTemplate(['agent:v1']) } } },
    {
      body: {
        spec: {
          selector: webSelector,
          template: podTemplate(['a', 'b'], { nodeSelector: { os: 'linux', disk: 'ssd' } }),
        },
      },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
        numberMisscheduled: 0,
      },
    },
  ]),
  ...samplesOf('apps/v1/controllerrevisions', [
    { body: { data: {}, revision: 3 } },
    { metadata: owner('StatefulSet', 'apps/v1', true), body: { data: {}, revision: 0 } },
    { metadata: owner('Thing', 'v1', true), body: { data: {}, revision: 1 } },
    { metadata: owner('DaemonSet', 'apps/v1', false), body: { data: {}, revision: 2 } },
  ]),
  ...samplesOf('batch/v1/jobs', [
    { body: jobSpec() },
    {
      body: jobSpec({ completions: 5, parallelism: 2 }),
      status: { startTime: ago(5 * minute), active: 2, succeeded: 1 },
    },
    { body: jobSpec({ parallelism: 4 }), status: { startTime: ago(2 * hour) } },
    {
      body: jobSpec(),
      status: {
        startTime: ago(2 * day),
        completionTime: ago(2 * day - 95),
        succeeded: 1,
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      },
    },
    {
      body: jobSpec(),
      status: {
        startTime: ago(hour),
        failed: 1,
        conditions: [condition('FailureTarget'), condition('Failed')],
      },
    },
    { body: jobSpec({ suspend: true }), status: { conditions: [condition('Suspended')] } },
    { body: jobSpec(), status: { startTime: ago(hour), conditions: [condition('Suspended', 'False')] } },
    { body: jobSpec(), status: { startTime: ago(hour), conditions: [condition('FailureTarget')] } },
    { body: jobSpec(), status: { startTime: ago(hour), conditions: [condition('SuccessCriteriaMet')] } },
    { deleted: true, body: jobSpec({ suspend: true }), status: { conditions: [condition('Suspended')] } },
  ]),
  ...samplesOf('batch/v1/cronjobs', [
    { body: { spec: { schedule: '*/5 * * * *', jobTemplate: jobSpec() } } },
    {
      body: { spec: { schedule: '@daily', timeZone: 'Europe/Berlin', suspend: true, jobTemplate: jobSpec() } },
      status: { lastScheduleTime: ago(7 * hour + 20 * minute), active: [{ name: 'a' }, { name: 'b' }] },
    },
    {
      body: {
        spec: { schedule: '0 0 1 * *', jobTemplate: jobSpec() },
      },
      status: { lastScheduleTime: ago(20 * day) },
    },
  ]),
  ...samplesOf('policy/v1/poddisruptionbudgets', [
    { body: { spec: { selector: webSelector } } },
    { body: { spec: { minAvailable: 2, selector: webSelector } } },
    {
      body: { spec: { maxUnavailable: '25%', selector: webSelector } },
      status: { disruptionsAllowed: 3, currentHealthy: 4, desiredHealthy: 1, expectedPods: 4, observedGeneration: 1 },
    },
    { body: { spec: { minAvailable: '50%', selector: webSelector } } },
    { body: { spec: { maxUnavailable: 0, selector: webSelector } } },
  ]),
];
