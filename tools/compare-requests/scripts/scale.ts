import { deployment, instance, places, replicaSet, statefulSet } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, protobufType, post, put, tableType } from '../steps.ts';

const space = 'scaled';
const spec = {
  type: 'object',
  properties: { replicas: { type: 'integer' }, selector: { type: 'string' }, text: { type: 'string' } },
};
const custom = {
  group: 'scaled.example.com',
  plural: 'rings',
  kind: 'Ring',
  properties: {
    spec,
    status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
  },
  version: {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  },
} as const;
const rings = places.custom(custom.group, custom.plural, space);

const scaled: { readonly [name: string]: { readonly collection: string; readonly object: object } } = {
  deployment: { collection: places.deployments(space), object: deployment('a', { replicas: 2 }) },
  'stateful set': { collection: places.statefulSets(space), object: statefulSet('a', { replicas: 2 }) },
  'replica set': { collection: places.replicaSets(space), object: replicaSet('a', { replicas: 2 }) },
  controller: {
    collection: `/api/v1/namespaces/${space}/replicationcontrollers`,
    object: {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'a' },
      spec: {
        replicas: 2,
        selector: { app: 'x' },
        template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  },
  ring: { collection: rings, object: instance(custom, 'a', { spec: { replicas: 2, text: 't' } }) },
};

const scale = (fields: object, metadata: object = {}): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: space, ...metadata },
  ...fields,
});

const bodies: { readonly [name: string]: object } = {
  three: scale({ spec: { replicas: 3 } }),
  none: scale({ spec: { replicas: 0 } }),
  'no spec': scale({}),
  'an empty spec': scale({ spec: {} }),
  'less than none': scale({ spec: { replicas: -1 } }),
  null: scale({ spec: { replicas: null } }),
  'a text': scale({ spec: { replicas: '3' } }),
  'a fraction': scale({ spec: { replicas: 1.5 } }),
  'too many': scale({ spec: { replicas: 3_000_000_000 } }),
  'a status': scale({ spec: { replicas: 4 }, status: { replicas: 9, selector: 'a=b' } }),
  'another name': scale({ spec: { replicas: 3 } }, { name: 'b' }),
  'no name': scale({ spec: { replicas: 3 } }, { name: undefined }),
  'another namespace': scale({ spec: { replicas: 3 } }, { namespace: 'default' }),
  'no namespace': scale({ spec: { replicas: 3 } }, { namespace: undefined }),
  'an old version': scale({ spec: { replicas: 3 } }, { resourceVersion: '1' }),
  'the version': scale({ spec: { replicas: 5 } }, { resourceVersion: '{{SUBJECT: get|metadata.resourceVersion}}' }),
  labels: scale({ spec: { replicas: 5 } }, { labels: { a: 'b' }, annotations: { c: 'd' } }),
};

function scaleSteps(
  subject: string,
  { collection, object }: { readonly collection: string; readonly object: object },
): readonly Step[] {
  const one = `${collection}/a/scale`;
  const called = (text: string): string => `${subject}: ${text}`;
  const resolved = (body: object): object => JSON.parse(JSON.stringify(body).replaceAll('SUBJECT', subject)) as object;
  return [
    post(called('create'), collection, object),
    get(called('get'), one),
    get(called('get as a table'), one, { accept: tableType }),
    get(called('get in YAML'), one, { accept: 'application/yaml' }),
    get(called('get of none'), `${collection}/zz/scale`),
    ...forEach(bodies, (body, name) => put(called(`put ${name}`), one, resolved(body))),
    ...forEach(
      {
        two: { spec: { replicas: 2 } },
        'the same': { spec: { replicas: 2 } },
        null: { spec: { replicas: null } },
        'a text': { spec: { replicas: 'x' } },
        'a status': { status: { replicas: 7 } },
        labels: { metadata: { labels: { a: 'b' } } },
        'a version': { metadata: { resourceVersion: '1' }, spec: { replicas: 1 } },
      },
      (body, name) => [
        patch(called(`merge ${name}`), 'merge', one, body),
        patch(called(`strategic ${name}`), 'strategic', one, body),
      ],
    ),
    patch(called('JSON patch'), 'json', one, [{ op: 'replace', path: '/spec/replicas', value: 6 }]),
    patch(called('JSON patch of another type'), 'json', one, [{ op: 'replace', path: '/spec/replicas', value: 'six' }]),
    patch(called('JSON patch with a test'), 'json', one, [
      { op: 'test', path: '/spec/replicas', value: 6 },
      { op: 'replace', path: '/spec/replicas', value: 7 },
    ]),
    patch(called('JSON patch with a test that fails'), 'json', one, [
      { op: 'test', path: '/spec/replicas', value: 6 },
      { op: 'replace', path: '/spec/replicas', value: 8 },
    ]),
    get(called('the object'), `${collection}/a`),
    post(called('post'), one, bodies['three']),
    { name: called('delete'), method: 'DELETE', path: one },
    put(called('dry run'), `${one}?dryRun=All`, scale({ spec: { replicas: 99 } })),
    put(called('a manager'), `${one}?fieldManager=hpa`, scale({ spec: { replicas: 8 } })),
    get(called('owners'), `${collection}/a`),
    put(called('unknown fields, strict'), `${one}?fieldValidation=Strict`, scale({ spec: { replicas: 8, nope: 1 } })),
    get(called('at the end'), one),
  ];
}

const deployments = places.deployments(space);
const applied = (replicas: number): object => scale({ spec: { replicas } });

/** Reports: autoscalers, `kubectl scale` and operators that change replicas beside an apply. */
export const scaleScript = script(
  'scale',
  inNamespace(space),
  define(custom),
  Object.entries(scaled).flatMap(([name, subject]) => scaleSteps(name, subject)),
  get('in protobuf', `${deployments}/a/scale`, { accept: protobufType }),
  apply('apply a deployment', `${deployments}/b`, deployment('b', { replicas: 1 }), 'owner'),
  apply('apply its scale', `${deployments}/b/scale`, { ...applied(3), metadata: { name: 'b' } }, 'scaler'),
  apply(
    'apply its scale with force',
    `${deployments}/b/scale`,
    { ...applied(3), metadata: { name: 'b' } },
    'scaler&force=true',
  ),
  apply('apply the deployment again', `${deployments}/b`, deployment('b', { replicas: 1 }), 'owner'),
  apply('apply the deployment without replicas', `${deployments}/b`, deployment('b'), 'owner'),
  apply(
    'the scale of another version',
    `${deployments}/b/scale`,
    { apiVersion: 'autoscaling/v2', kind: 'Scale', metadata: { name: 'b' }, spec: { replicas: 1 } },
    'scaler',
  ),
  get('at the very end', `${deployments}/b`),
  // Custom resources without replicas, without a status, and with a selector.
  post('a ring without replicas', rings, instance(custom, 'b', { spec: { text: 't' } })),
  get('its scale', `${rings}/b/scale`),
  put('scale it', `${rings}/b/scale`, scale({ spec: { replicas: 2 } }, { name: 'b' })),
  patch('its status', 'merge', `${rings}/b/status`, { status: { replicas: 1, selector: 'a=b' } }),
  get('its scale with a selector', `${rings}/b/scale`),
  get('the ring', `${rings}/b`),
  patch('a wrong selector', 'merge', `${rings}/b/status`, { status: { replicas: 1, selector: '===' } }),
  get('its scale with a wrong selector', `${rings}/b/scale`),
);
