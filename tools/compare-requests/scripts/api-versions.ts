import { configMap, deployment, instance, places, pod } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'api-versions';
const custom = {
  group: 'api-versions.example.com',
  plural: 'things',
  kind: 'Thing',
  properties: {
    spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
  version: {
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  },
} as const;
const group = custom.group;

/** Versions as they are not written. */
const written: readonly unknown[] = [
  '/v1',
  'v1/',
  '/',
  'a/b/c',
  ' v1',
  'v1 ',
  ' ',
  '',
  '//',
  '/v1/',
  'v2',
  'apps/v1',
  'v1/v1',
  `${group}/v1`,
  `${group}/`,
  `/${group}/v1`,
  `${group}/v1/`,
  `${group}//v1`,
  ` ${group}/v1`,
  `${group} /v1`,
  `${group}/ v1`,
  'apps/',
  'APPS/v1',
  'v1\n',
  '\u00e9/v1',
  1,
  null,
  ['v1'],
  {},
];
const versions = Object.fromEntries(written.map((version) => [JSON.stringify(version), version]));

const things = places.custom(group, custom.plural, space);
const deployments = places.deployments(space);
const configMaps = places.configMaps(space);

interface Target {
  readonly path: string;
  readonly object: (name: string) => object;
}

const targets: { readonly [kind: string]: Target } = {
  core: { path: configMaps, object: (name) => configMap(name) },
  apps: { path: deployments, object: (name) => deployment(name) },
  custom: { path: things, object: (name) => instance(custom, name, { spec: { replicas: 1 } }) },
};

function bodies(apiVersion: unknown, text: string): readonly Step[] {
  return Object.entries(targets).flatMap(([kind, { path, object }]) => {
    const called = (what: string): string => `${kind}: ${what}: ${text}`;
    const of = (name: string): object => ({ ...object(name), apiVersion });
    return [
      post(called('post'), `${path}?dryRun=All`, of('new')),
      put(called('put'), `${path}/live?dryRun=All`, of('live')),
      put(called('put that creates'), `${path}/new?dryRun=All`, of('new')),
      apply(called('apply'), `${path}/live?dryRun=All&force=true`, of('live')),
      apply(called('apply that creates'), `${path}/new?dryRun=All`, of('new')),
      patch(called('merge'), 'merge', `${path}/live?dryRun=All`, { apiVersion }),
      patch(called('json'), 'json', `${path}/live?dryRun=All`, [
        { op: 'replace', path: '/apiVersion', value: apiVersion },
      ]),
      ...(kind === 'custom'
        ? []
        : [patch(called('strategic'), 'strategic', `${path}/live?dryRun=All`, { apiVersion })]),
    ];
  });
}

const owner = { kind: 'ConfigMap', name: 'o', uid: '11111111-2222-3333-4444-555555555555' };

function inMetadata(apiVersion: unknown, text: string): readonly Step[] {
  return Object.entries(targets).flatMap(([kind, { path, object }]) => {
    const called = (what: string): string => `${kind}: ${what}: ${text}`;
    const owners = [{ manager: 'm', operation: 'Update', apiVersion, fieldsType: 'FieldsV1', fieldsV1: {} }];
    const metadata = (name: string, more: object): object => ({ ...object(name), metadata: { name, ...more } });
    return [
      post(
        called('owner reference'),
        `${path}?dryRun=All`,
        metadata('new', { ownerReferences: [{ ...owner, apiVersion }] }),
      ),
      patch(called('merged reference'), 'merge', `${path}/live?dryRun=All`, {
        metadata: { ownerReferences: [{ ...owner, apiVersion }] },
      }),
      post(called('managed fields'), `${path}?dryRun=All`, metadata('new', { managedFields: owners })),
      put(called('put of managed fields'), `${path}/live?dryRun=All`, metadata('live', { managedFields: owners })),
      patch(called('merged managed fields'), 'merge', `${path}/live?dryRun=All`, {
        metadata: { managedFields: owners },
      }),
    ];
  });
}

function subresources(apiVersion: unknown, text: string): readonly Step[] {
  const scale = (name: string): object => ({
    apiVersion,
    kind: 'Scale',
    metadata: { name, namespace: space },
    spec: { replicas: 2 },
  });
  return [
    put(`scale: ${text}`, `${deployments}/live/scale?dryRun=All`, scale('live')),
    patch(`merged scale: ${text}`, 'merge', `${deployments}/live/scale?dryRun=All`, {
      apiVersion,
      spec: { replicas: 2 },
    }),
    put(`custom scale: ${text}`, `${things}/live/scale?dryRun=All`, scale('live')),
    put(`custom status: ${text}`, `${things}/live/status?dryRun=All`, {
      ...instance(custom, 'live', { status: { replicas: 1 } }),
      apiVersion,
    }),
    post(`eviction: ${text}`, `${places.pods(space)}/live/eviction?dryRun=All`, {
      apiVersion,
      kind: 'Eviction',
      metadata: { name: 'live' },
    }),
    post(`binding: ${text}`, `${places.pods(space)}/live/binding?dryRun=All`, {
      apiVersion,
      kind: 'Binding',
      metadata: { name: 'live' },
      target: { kind: 'Node', name: 'n' },
    }),
    post(`token: ${text}`, `/api/v1/namespaces/${space}/serviceaccounts/nope/token?dryRun=All`, {
      apiVersion,
      kind: 'TokenRequest',
      spec: {},
    }),
    post(`review: ${text}`, '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion,
      kind: 'SelfSubjectAccessReview',
      spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
    }),
  ];
}

/** Versions in bodies, owners and subresources that are written in other ways than names and slashes. */
export const apiVersions = script(
  'api-versions',
  inNamespace(space),
  define(custom),
  forEach(targets, ({ path, object }, kind) => post(`${kind}: live`, path, object('live'))),
  post('live pod', places.pods(space), pod('live')),
  get('the pod', `${places.pods(space)}/live`),
  forEach(versions, bodies),
  forEach(versions, inMetadata),
  forEach(versions, subresources),
);
