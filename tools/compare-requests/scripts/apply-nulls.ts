import { configMap, deployment, instance, places, podSpec, secret, service } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { define, type DefinitionOptions } from '../definitions.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../steps.ts';

const space = 'nulls';
const custom: DefinitionOptions = {
  group: 'nulls.example.com',
  plural: 'widgets',
  kind: 'Widget',
  properties: {
    spec: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        filled: { type: 'string', default: 'd' },
        maybe: { type: 'string', nullable: true },
        maybeFilled: { type: 'string', nullable: true, default: 'd' },
        list: { type: 'array', items: { type: 'string' } },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        maybeMap: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'integer' } } },
        },
      },
    },
  },
};
const widgets = places.custom(custom.group, custom.plural, space);

/** Values of `spec` with a null somewhere. */
const specs: { readonly [name: string]: unknown } = {
  'no spec': null,
  'a text': { text: null },
  'a text with a default': { filled: null },
  'a nullable text': { maybe: null },
  'a nullable text with a default': { maybeFilled: null },
  'a list': { list: null },
  'an item': { list: ['a', null] },
  'a set': { set: null },
  'an item of a set': { set: [null, 'a'] },
  'a map': { map: null },
  'a value of a map': { map: { a: null, b: 'x' } },
  'a nullable value of a map': { maybeMap: { a: null, b: 'x' } },
  'something free': { free: null },
  'a member of something free': { free: { a: null, b: [null, { c: null }] } },
  'a keyed list': { keyed: null },
  'an item of a keyed list': { keyed: [null] },
  'a key': { keyed: [{ k: null, v: 1 }] },
  'a value of a keyed item': { keyed: [{ k: 'a', v: null }] },
};

/** Steps with a null, in each way to write an object. */
function customSteps(spec: unknown, name: string): readonly Step[] {
  const path = (way: string): string => `${widgets}/${way}`;
  const of = (way: string): object => instance(custom, way, { spec });
  return [
    apply(`apply ${name}`, path('applied'), of('applied'), 'one&force=true'),
    post(`post ${name}`, `${widgets}?dryRun=All`, of('posted')),
    patch(`merge ${name}`, 'merge', path('base'), { spec }),
    patch(`JSON patch ${name}`, 'json', path('base'), [{ op: 'add', path: '/spec', value: spec }]),
  ];
}

const configMaps = places.configMaps(space);
const metadataNulls: { readonly [name: string]: object } = {
  labels: { labels: null },
  'a label': { labels: { a: null, b: 'x' } },
  annotations: { annotations: null },
  'an annotation': { annotations: { a: null } },
  finalizers: { finalizers: null },
  'a finalizer': { finalizers: [null] },
  owners: { ownerReferences: null },
  'an owner': { ownerReferences: [null] },
  'managed fields': { managedFields: null },
  'a creation time': { creationTimestamp: null },
  'a generate name': { generateName: null },
  namespace: { namespace: null },
  uid: { uid: null },
  'resource version': { resourceVersion: null },
};

const deployments = places.deployments(space);
const deploymentSpecs: { readonly [name: string]: object } = {
  replicas: { replicas: null },
  strategy: { strategy: null },
  'a rolling update': { strategy: { rollingUpdate: null, type: 'Recreate' } },
  volumes: { template: { metadata: { labels: { app: 'x' } }, spec: podSpec({}, { volumes: null }) } },
  environment: { template: { metadata: { labels: { app: 'x' } }, spec: podSpec({ env: null }) } },
  'a value': { template: { metadata: { labels: { app: 'x' } }, spec: podSpec({ env: [{ name: 'A', value: null }] }) } },
  'a whole variable': { template: { metadata: { labels: { app: 'x' } }, spec: podSpec({ env: [null] }) } },
  ports: {
    template: { metadata: { labels: { app: 'x' } }, spec: podSpec({ ports: [{ containerPort: 80, protocol: null }] }) },
  },
  resources: { template: { metadata: { labels: { app: 'x' } }, spec: podSpec({ resources: null }) } },
  'a limit': {
    template: { metadata: { labels: { app: 'x' } }, spec: podSpec({ resources: { limits: { cpu: null } } }) },
  },
  'a security context': {
    template: { metadata: { labels: { app: 'x' } }, spec: podSpec({ securityContext: { runAsUser: null } }) },
  },
  'creation time of the template': {
    template: { metadata: { creationTimestamp: null, labels: { app: 'x' } }, spec: podSpec() },
  },
};

/** Reports: a null in a manifest that Helm, kustomize or a Go client wrote. */
export const applyNulls = script(
  'apply-nulls',
  inNamespace(space),
  define(custom),
  post('a widget', widgets, instance(custom, 'base', { spec: { text: 'a', maybe: 'b', list: ['c'] } })),
  forEach(specs, customSteps),
  get('the widgets', widgets),
  forEach(metadataNulls, (metadata, name) => [
    apply(`apply metadata: ${name}`, `${configMaps}/a`, configMap('a', { a: '1' }, metadata), 'one&force=true'),
    post(`post metadata: ${name}`, `${configMaps}?dryRun=All`, configMap('p', { a: '1' }, metadata)),
    apply(`apply metadata of a widget: ${name}`, `${widgets}/m`, instance(custom, 'm', {}, metadata), 'one&force=true'),
  ]),
  forEach(
    { data: { data: null }, 'a value': { data: { a: null } }, both: { data: { a: null, b: 'x' }, binaryData: null } },
    (fields, name) => [
      apply(`apply a config map: ${name}`, `${configMaps}/b`, { ...configMap('b'), ...fields }, 'one&force=true'),
      apply(
        `apply a secret: ${name}`,
        `${places.secrets(space)}/b`,
        secret('b', { ...fields, stringData: { z: null } }),
        'one&force=true',
      ),
      post(`post a secret: ${name}`, `${places.secrets(space)}?dryRun=All`, secret('c', { ...fields, type: null })),
      put(`put a config map: ${name}`, `${configMaps}/b`, { ...configMap('b'), ...fields }),
      patch(`strategic: ${name}`, 'strategic', `${configMaps}/b`, fields),
    ],
  ),
  forEach(deploymentSpecs, (spec, name) => [
    apply(`apply a deployment: ${name}`, `${deployments}/d`, deployment('d', spec), 'one&force=true'),
    post(`post a deployment: ${name}`, `${deployments}?dryRun=All`, deployment('e', spec)),
    patch(`strategic patch of a deployment: ${name}`, 'strategic', `${deployments}/d?dryRun=All`, { spec }),
  ]),
  apply(
    'apply a service with null ports',
    `${places.services(space)}/s`,
    service('s', { ports: null, clusterIP: 'None' }),
  ),
  apply(
    'apply a service with a null port',
    `${places.services(space)}/s`,
    service('s', { ports: [null], clusterIP: 'None' }),
  ),
  apply(
    'apply a service with a null target',
    `${places.services(space)}/s`,
    service('s', { ports: [{ port: 80, targetPort: null, nodePort: null }], clusterIP: 'None' }),
  ),
  get('all at the end', `${configMaps}/a`),
);
