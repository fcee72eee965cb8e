import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { pick, type Random } from '../random-objects/random.ts';
import { queries, randomAccept, randomQuery } from './options.ts';
import type { Step } from './step.ts';

// Requests that are about no stored object: documents, health, reviews.

const groups = [
  '',
  'apps',
  'batch',
  'autoscaling',
  'events.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'resource.k8s.io',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'x',
  'networking.k8s.io',
];
const versions = ['v1', 'v2', 'v1beta1', 'v1alpha3', 'v9', '', 'V1'];
const documents = [
  '/',
  '/api',
  '/api/',
  '/apis',
  '/apis/',
  '/version',
  '/version/',
  '/openapi',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/openapi/v2/',
  '/healthz',
  '/livez',
  '/readyz',
  '/healthz/',
  '/readyz/ping',
  '/livez/etcd',
  '/healthz/x',
  '/healthz/log',
  '/readyz/informer-sync',
  '/livez/poststarthook/rbac/bootstrap-roles',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/.well-known/x',
  '/logs',
  '/logs/',
  '/metrics/slis',
  '/swagger.json',
  '/ui',
  '/static',
  '/favicon.ico',
  '/api/v1',
  '/api/v1/',
  '/api/v2',
  '/apis/apps',
  '/openapi/v3/version',
  '/openapi/v3/api',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis',
  '/openapi/v3/apis/apps',
  '/openapi/v3/apis/x/v1',
  '/statusz',
  '/flagz',
  '/configz',
  '/debug',
  '/debug/',
  '/debug/flags',
  '/debug/api_priority_and_fairness/',
  '/x',
  '//api',
  '/api//v1',
  '/apis/apps/v1/',
  '/./api',
  '/api/../apis',
  '/API',
  '/api%2Fv1',
];
const documentAccepts = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json',
  'application/json;as=APIGroupDiscoveryList',
  'application/cbor;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'text/plain',
  'application/json;profile=nopeer;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/openapi+json',
  'text/html,application/json',
  'application/json;g=config.k8s.io;v=v1alpha1;as=Statusz',
  'text/plain;q=0.5,*/*;q=0.1',
  'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList;q=0.9,*/*',
];

/** Whether a body is long and the same for all: only its kind and size count. */
function documentPath(random: Random): string {
  if (random() < 0.65) return pick(random, documents);
  const group = pick(random, groups);
  const version = pick(random, versions);
  const prefix = group === '' ? 'api' : `apis/${group}`;
  return pick(random, [
    `/${prefix}/${version}`,
    `/openapi/v3/${prefix}/${version}`,
    `/${prefix}`,
    `/${prefix}/${version}/x`,
    `/openapi/v3/${prefix}`,
  ]);
}

export function randomDocument(random: Random): Step {
  const method = random() < 0.85 ? 'GET' : pick(random, ['POST', 'PUT', 'HEAD', 'DELETE', 'PATCH', 'OPTIONS']);
  const query =
    random() < 0.7
      ? ''
      : pick(random, [
          '?verbose',
          '?exclude=ping',
          '?exclude=x&exclude=y',
          '?verbose=1&exclude=etcd',
          '?hash=x',
          '?timeout=1s',
          '?timeout=x',
          '?pretty=1',
          '?pretty=0',
          '?x=1',
          '?allowedPeers',
        ]);
  const accept =
    random() < 0.3 ? 'application/json' : random() < 0.6 ? pick(random, documentAccepts) : randomAccept(random);
  const headers = { accept, ...(random() < 0.1 ? { 'if-none-match': pick(random, ['"x"', '*', 'W/"x"']) } : {}) };
  return { method, path: documentPath(random) + query, headers };
}

const users = ['dora', 'system:anonymous', 'system:serviceaccount:default:x', 'system:node:n1', '', 'admin'];
const someGroups = [
  'system:masters',
  'system:authenticated',
  'system:unauthenticated',
  'system:nodes',
  'x',
  'system:serviceaccounts',
];
const verbs = ['get', 'list', 'watch', 'create', '*', '', 'GET', 'deletecollection', 'x', 'impersonate'];
const resources = ['pods', 'secrets', 'nodes', '*', '', 'pods/log', 'leases', 'POD', 'configmaps'];

function maybe(random: Random, field: string, values: readonly JsonValue[], chance = 0.5): JsonObject {
  return random() < chance ? { [field]: pick(random, values) } : {};
}

const requirements: readonly JsonValue[] = [
  { rawSelector: 'a=b' },
  { rawSelector: 'metadata.name=x' },
  { rawSelector: 'a in (' },
  { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
  { requirements: [{ key: 'a', operator: 'x' }] },
  { requirements: [{ key: '', operator: 'Exists', values: ['x'] }] },
  { requirements: [], rawSelector: '' },
  { requirements: [{ key: 'a', operator: 'In', values: ['b'] }], rawSelector: 'a=b' },
  {},
];

function attributes(random: Random): JsonObject {
  return {
    ...maybe(random, 'namespace', ['default', 'x', '', 'kube-system']),
    ...maybe(random, 'verb', verbs, 0.9),
    ...maybe(random, 'group', ['', 'apps', '*', 'x', 'coordination.k8s.io'], 0.3),
    ...maybe(random, 'version', ['v1', '*', 'x'], 0.2),
    ...maybe(random, 'resource', resources, 0.9),
    ...maybe(random, 'subresource', ['status', 'log', '', '*'], 0.2),
    ...maybe(random, 'name', ['a', 'n1', ''], 0.3),
    ...maybe(random, 'fieldSelector', requirements, 0.25),
    ...maybe(random, 'labelSelector', requirements, 0.25),
  };
}

function accessSpec(random: Random, isSelf: boolean): JsonObject {
  return {
    ...(random() < 0.8 ? { resourceAttributes: attributes(random) } : {}),
    ...(random() < 0.25
      ? {
          nonResourceAttributes: {
            ...maybe(random, 'path', ['/healthz', '/api', '/x', '', '*', 'healthz'], 0.9),
            ...maybe(random, 'verb', verbs, 0.9),
          },
        }
      : {}),
    ...(isSelf
      ? {}
      : {
          ...maybe(random, 'user', users, 0.8),
          ...maybe(random, 'groups', [[], ['x'], someGroups, ['system:masters'], ['system:authenticated']], 0.5),
          ...maybe(random, 'uid', ['u', ''], 0.2),
          ...maybe(random, 'extra', [{}, { a: ['b'] }, { A: [] }, { '': ['x'] }], 0.2),
        }),
  };
}

const reviews: readonly ((
  random: Random,
  space: string,
) => { readonly path: string; readonly kind: string; readonly spec: JsonObject })[] = [
  (random) => ({
    path: 'authorization.k8s.io/v1/subjectaccessreviews',
    kind: 'SubjectAccessReview',
    spec: accessSpec(random, false),
  }),
  (random) => ({
    path: 'authorization.k8s.io/v1/selfsubjectaccessreviews',
    kind: 'SelfSubjectAccessReview',
    spec: accessSpec(random, true),
  }),
  (random, space) => {
    const spec = accessSpec(random, false);
    const { resourceAttributes } = spec;
    const own =
      random() < 0.7
        ? { ...spec, resourceAttributes: { ...(resourceAttributes as JsonObject), namespace: space } }
        : spec;
    return {
      path: `authorization.k8s.io/v1/namespaces/${space}/localsubjectaccessreviews`,
      kind: 'LocalSubjectAccessReview',
      spec: own,
    };
  },
  (random, space) => ({
    path: 'authorization.k8s.io/v1/selfsubjectrulesreviews',
    kind: 'SelfSubjectRulesReview',
    spec: maybe(random, 'namespace', [space, 'default', '', 'x', 'Bad_'], 0.9),
  }),
  () => ({ path: 'authentication.k8s.io/v1/selfsubjectreviews', kind: 'SelfSubjectReview', spec: {} }),
  (random) => ({
    path: 'authentication.k8s.io/v1/tokenreviews',
    kind: 'TokenReview',
    spec: {
      ...maybe(random, 'token', ['x', '', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'], 0.9),
      ...maybe(random, 'audiences', [[], ['a'], ['']], 0.4),
    },
  }),
];

export function randomReview(random: Random, space: string): Step {
  const { path, kind, spec } = pick(random, reviews)(random, space);
  const apiVersion = path.split('/').slice(0, 2).join('/');
  const metadata =
    random() < 0.25
      ? pick<JsonObject>(random, [
          { name: 'a' },
          { namespace: space },
          { namespace: 'x' },
          { labels: { a: 'b' } },
          { uid: 'x', generateName: 'g-' },
          { managedFields: [] },
        ])
      : undefined;
  const status = random() < 0.15 ? { status: { allowed: true } } : {};
  const odd =
    random() < 0.1
      ? pick<JsonObject>(random, [{ unknown: 1 }, { kind: 'X' }, { apiVersion: 'v1' }, { spec: null }])
      : {};
  const body = { apiVersion, kind, ...(metadata === undefined ? {} : { metadata }), spec, ...status, ...odd };
  const who: { readonly [name: string]: string } =
    random() < 0.5
      ? {}
      : pick(random, [
          { 'impersonate-user': 'dora' },
          { 'impersonate-user': 'dora', 'impersonate-group': 'system:masters' },
          { 'impersonate-user': 'x', 'impersonate-uid': 'u', 'impersonate-extra-a%2fb': 'c' },
          { 'impersonate-user': 'system:serviceaccount:default:x' },
          { 'impersonate-user': 'system:anonymous' },
        ]);
  const form = pick(random, ['json', 'json', 'json', 'yaml', 'protobuf', 'cbor'] as const);
  const method = random() < 0.95 ? 'POST' : pick(random, ['GET', 'PUT', 'DELETE', 'PATCH']);
  return {
    method,
    path: `/apis/${path}${randomQuery(random, queries.writing, { most: 2 })}`,
    headers: { accept: randomAccept(random), ...who },
    body,
    form,
  };
}
