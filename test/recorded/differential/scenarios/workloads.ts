import { get, inNamespace, patch, post, put, remove, scenario, tableType } from '../scenario.ts';

const base = '/apis/apps/v1/namespaces/diff-work/deployments';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: { selector: { matchLabels: { a: 'b' } }, template },
};
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } };
const autoscalers = '/namespaces/diff-work/horizontalpodautoscalers';
const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };

/** Workloads: generations, scales, several versions. */
export const workloads = scenario('workloads', [
  inNamespace('diff-work'),
  post('create', base, deployment),
  get(`${base}/d`, { accept: tableType }),
  get(`${base}/d/scale`),
  put('scale', `${base}/d/scale`, scale),
  put('scale under another name', `${base}/d/scale`, { ...scale, metadata: { name: 'x' } }),
  put('scale with a stale version', `${base}/d/scale`, { ...scale, metadata: { name: 'd', resourceVersion: '1' } }),
  patch('patch the scale', `${base}/d/scale`, { type: 'merge', body: { spec: { replicas: 5 } } }),
  patch('a negative scale', `${base}/d/scale`, { type: 'merge', body: { spec: { replicas: -5 } } }),
  get(`${base}/d`),
  patch('only metadata', `${base}/d`, { type: 'merge', body: { metadata: { annotations: { x: 'y' } } } }),
  patch('an image', `${base}/d`, {
    type: 'strategic',
    body: { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:2' }] } } } },
  }),
  put('another selector', `${base}/d`, {
    ...deployment,
    spec: { ...deployment.spec, selector: { matchLabels: { z: 'b' } } },
  }),
  patch('status', `${base}/d/status`, { type: 'merge', body: { status: { replicas: 2 }, spec: { replicas: 9 } } }),
  post('no specification', base, { ...deployment, metadata: { name: 'd2' }, spec: {} }),
  post('a selector that selects nothing', base, {
    ...deployment,
    metadata: { name: 'd2' },
    spec: { ...deployment.spec, selector: { matchLabels: { other: 'x' } } },
  }),
  post('a bad strategy', base, {
    ...deployment,
    metadata: { name: 'd2' },
    spec: { ...deployment.spec, strategy: { type: 'Other' } },
  }),
  post('negative replicas', base, {
    ...deployment,
    metadata: { name: 'd2' },
    spec: { ...deployment.spec, replicas: -1 },
  }),
  post('replicas as text', base, {
    ...deployment,
    metadata: { name: 'd2' },
    spec: { ...deployment.spec, replicas: '1' },
  }),
  post('autoscaler in v1', `/apis/autoscaling/v1${autoscalers}`, {
    metadata: { name: 'h' },
    spec: { maxReplicas: 3, scaleTargetRef: target, targetCPUUtilizationPercentage: 50 },
  }),
  get(`/apis/autoscaling/v2${autoscalers}/h`),
  get(`/apis/autoscaling/v1${autoscalers}/h`),
  post('cron job', '/apis/batch/v1/namespaces/diff-work/cronjobs', {
    metadata: { name: 'cj' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      },
    },
  }),
  post('cron job, bad schedule', '/apis/batch/v1/namespaces/diff-work/cronjobs', {
    metadata: { name: 'cj2' },
    spec: {
      schedule: 'never',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      },
    },
  }),
  post('event in core', '/api/v1/namespaces/diff-work/events', {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'diff-work' },
    reason: 'R',
    message: 'm',
    type: 'Normal',
  }),
  get('/apis/events.k8s.io/v1/namespaces/diff-work/events/e'),
  get('/api/v1/namespaces/diff-work/events?fieldSelector=involvedObject.name=p'),
  post('a review of oneself', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  }),
  post('a review of nothing', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: {} }),
  post('a review of nobody', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  }),
  remove('delete', `${base}/d`),
]);
