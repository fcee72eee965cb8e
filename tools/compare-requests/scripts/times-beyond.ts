import { define } from '../definitions.ts';
import { configMap, deployment, instance, places, pod } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'times-beyond';
const custom = {
  group: 'times-beyond.example.com',
  plural: 'instants',
  kind: 'Instant',
  properties: {
    at: { type: 'string', format: 'date-time' },
    spec: { type: 'object', properties: { a: { type: 'string' } } },
  },
} as const;
const instants = places.custom(custom.group, custom.plural, space);
const jobs = `/apis/batch/v1/namespaces/${space}/jobs`;

const times = {
  'before the first year': '0000-01-01T00:00:00+01:00',
  'after the last year': '9999-12-31T23:59:59-01:00',
};

/** Fields that the server sets, and what it takes from a writer. */
const metadatas: { readonly [name: string]: (time: string) => object } = {
  creation: (time) => ({ creationTimestamp: time }),
  deletion: (time) => ({ deletionTimestamp: time }),
  owners: (time) => ({
    managedFields: [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'v1',
        time,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} } },
      },
    ],
  }),
};

const job = (name: string, more: object): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
  ...more,
});

const objects: {
  readonly [name: string]: (name: string, metadata: object) => readonly [path: string, object: object];
} = {
  'config map': (name, metadata) => [places.configMaps(space), configMap(name, { a: '1' }, metadata)],
  deployment: (name, metadata) => [places.deployments(space), deployment(name, {}, metadata)],
  instant: (name, metadata) => [instants, instance(custom, name, { spec: { a: 'b' } }, metadata)],
};

function metadataSteps(time: string, when: string): readonly Step[] {
  return Object.entries(metadatas).flatMap(([field, metadataOf]) =>
    Object.entries(objects).flatMap(([kind, objectOf]) => {
      const name = `${field}-${when.split(' ')[0] ?? ''}`;
      const called = (what: string): string => `${kind}: ${field} ${when}: ${what}`;
      const [path, bad] = objectOf(name, metadataOf(time));
      const [, other] = objectOf(`${name}-put`, metadataOf(time));
      const [, good] = objectOf(`${name}-good`, {});
      const own = `${path}/${name}-good`;
      const [, change] = objectOf(`${name}-good`, { ...metadataOf(time), labels: { a: 'b' } });
      return [
        post(called('post'), path, bad),
        post(called('a dry post'), `${path}?dryRun=All`, bad),
        post(called('post YAML'), `${path}?dryRun=All`, bad, { form: 'yaml' }),
        put(called('put that creates'), `${path}/${name}-put`, other),
        apply(called('apply that creates'), `${path}/${name}-put`, other, 'one'),
        post(called('good'), path, good),
        put(called('put'), own, change),
        patch(called('merge'), 'merge', own, { metadata: { ...metadataOf(time), labels: { a: 'c' } } }),
        patch(called('strategic'), 'strategic', own, { metadata: { ...metadataOf(time), labels: { a: 'd' } } }),
        patch(
          called('json'),
          'json',
          own,
          Object.entries(metadataOf(time)).map(([key, value]) => ({
            op: 'add',
            path: `/metadata/${key}`,
            value: value as string,
          })),
        ),
        apply(called('apply'), own, change, 'one'),
        apply(called('apply by force'), own, change, 'two&force=true'),
        get(called('get'), own),
      ];
    }),
  );
}

const idOf = (when: string): string => when.split(' ')[0] ?? '';

/** Fields that creation or one of the endpoints ignores. */
function podSteps(time: string, when: string): readonly Step[] {
  const called = (what: string): string => `${what} ${when}`;
  const id = idOf(when);
  const pods = places.pods(space);
  const status = {
    startTime: time,
    conditions: [{ type: 'x', status: 'True', lastProbeTime: time, lastTransitionTime: time }],
  };
  const withStatus = { ...pod(`p-${id}`), status };
  return [
    post(called('a pod with a status'), pods, withStatus),
    put(called('put a pod with a status'), `${pods}/p-${id}`, {
      ...withStatus,
      metadata: { name: `p-${id}`, labels: { a: 'b' } },
    }),
    patch(called('merge into a pod with a status'), 'merge', `${pods}/p-${id}`, {
      metadata: { labels: { a: 'c' } },
      status,
    }),
    patch(called('strategic to a pod with a status'), 'strategic', `${pods}/p-${id}`, {
      metadata: { labels: { a: 'd' } },
      status,
    }),
    apply(called('apply a pod with a status'), `${pods}/p-${id}`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p-${id}`, labels: { b: 'a' } },
      status,
    }),
    get(called('that pod'), `${pods}/p-${id}`),
    post(called('a binding'), `${pods}/p-${id}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: `p-${id}`, creationTimestamp: time },
      target: { kind: 'Node', name: 'a' },
    }),
    post(called('an eviction'), `${pods}/p-${id}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: `p-${id}`, creationTimestamp: time },
      deleteOptions: { dryRun: ['All'] },
    }),
  ];
}

function workloadSteps(time: string, when: string): readonly Step[] {
  const called = (what: string): string => `${what} ${when}`;
  const id = idOf(when);
  const deployments = places.deployments(space);
  const template = {
    metadata: { creationTimestamp: time, labels: { app: 'x' } },
    spec: { containers: [{ name: 'c', image: 'img:1' }] },
  };
  const scale = { metadata: { name: `d-${id}`, namespace: space, creationTimestamp: time }, spec: { replicas: 2 } };
  return [
    post(called('a job with a status'), jobs, job(`j-${id}`, { status: { startTime: time } })),
    post(called('a deployment with a status'), deployments, {
      ...deployment(`d-${id}`),
      status: { conditions: [{ type: 'a', status: 'True', lastUpdateTime: time }] },
    }),
    put(called('a status with a template'), `${deployments}/d-${id}/status`, deployment(`d-${id}`, { template })),
    put(called('a scale'), `${deployments}/d-${id}/scale`, { apiVersion: 'autoscaling/v1', kind: 'Scale', ...scale }),
    put(called('a time in a template'), `${deployments}/d-${id}`, deployment(`d-${id}`, { template })),
  ];
}

function clusterSteps(time: string, when: string): readonly Step[] {
  const metadata = { creationTimestamp: time };
  const named = { ...metadata, name: `n-${space}-${idOf(when)}` };
  return [
    post(`a namespace ${when}`, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: named }),
    post(`a review ${when}`, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
      metadata,
    }),
    post(`an access review ${when}`, '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata,
      spec: { nonResourceAttributes: { path: '/a', verb: 'get' } },
    }),
  ];
}

/** Reports: times whose zone moves them out of the years that a time can be read in. */
export const timesBeyond = script(
  space,
  inNamespace(space),
  define(custom),
  forEach(times, metadataSteps),
  forEach(times, podSteps),
  forEach(times, workloadSteps),
  forEach(times, clusterSteps),
);
