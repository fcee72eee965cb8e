import { define, schema } from '../../definitions.ts';
import { configMap, deployment, places, pod } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put } from '../../steps.ts';

const space = 'status-owners';
const group = 'status-owners.example.com';
const text = { type: 'string' };
const fields = (...names: readonly string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const conditions = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: { type: 'object', required: ['type'], properties: { type: text, status: text, message: text } },
};
const version = (name: string, spec: object, more: object = {}): object => ({
  name,
  served: true,
  storage: name === 'v1',
  subresources: { status: {} },
  schema: schema({ spec, status: { type: 'object', properties: { a: text, b: text, conditions } } }),
  ...more,
});
const custom = {
  group,
  plural: 'panes',
  kind: 'Pane',
  versions: [
    version('v1', fields('x', 'y')),
    version('v1beta1', fields('x')),
    version('v1alpha1', fields('x', 'z'), { subresources: {} }),
  ],
} as const;
const at = (name: string): string => places.custom(group, custom.plural, space, name);
const pane = (name: string, of: string, more: object = {}, metadata: object = {}): object => ({
  apiVersion: `${group}/${of}`,
  kind: 'Pane',
  metadata: { name, ...metadata },
  ...more,
});

/** What a client sends as the list of owners. */
const owners: { readonly [name: string]: object } = {
  'no list': {},
  'an empty list': { managedFields: [] },
  null: { managedFields: null },
  'an empty entry': { managedFields: [{}] },
  'an own entry': {
    managedFields: [
      {
        manager: 'curl',
        operation: 'Update',
        apiVersion: `${group}/v1`,
        time: '2020-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:status': { 'f:a': {} } },
        subresource: 'status',
      },
    ],
  },
};

/** Reports: owners are lost when a status is written through another version, or without them. */
function versionStory(of: string): readonly Step[] {
  const called = (what: string): string => `${of}: ${what}`;
  return forEach(owners, (metadata, name) => {
    const object = `${of}-${name.replaceAll(' ', '-')}`;
    const status = `${at(of)}/${object}/status`;
    return [
      apply(
        called(`${name}: apply the spec`),
        `${at('v1')}/${object}`,
        pane(object, 'v1', { spec: { x: '1', y: '2' } }),
      ),
      put(called(`${name}: put the status`), `${status}?fieldManager=curl`, {
        ...pane(object, of, { spec: {}, status: { a: '1', conditions: [{ type: 'R', status: 'T' }] } }, metadata),
      }),
      put(called(`${name}: put it again`), `${status}?fieldManager=curl`, {
        ...pane(object, of, { spec: { x: 'q' }, status: { a: '2' } }, metadata),
      }),
      patch(called(`${name}: merge the status`), 'merge', `${status}?fieldManager=curl`, {
        metadata,
        status: { b: '3' },
      }),
      patch(called(`${name}: JSON patch of the status`), 'json', `${status}?fieldManager=curl`, [
        { op: 'add', path: '/status/conditions', value: [{ type: 'Q' }] },
        ...('managedFields' in metadata
          ? [{ op: 'replace', path: '/metadata/managedFields', value: metadata.managedFields }]
          : []),
      ]),
      apply(called(`${name}: apply the status`), status, pane(object, of, { status: { a: '9' } }), 'curl&force=true'),
      get(called(`${name}: through v1`), `${at('v1')}/${object}`),
    ];
  });
}

/** One manager sends the same object to both endpoints. */
function bothStory(name: string, one: string, whole: object, less: object): readonly Step[] {
  const called = (what: string): string => `both, ${name}: ${what}`;
  return [
    apply(called('the object'), one, whole, 'm', { atSecond: true }),
    apply(called('the status'), `${one}/status`, whole, 'm'),
    apply(called('the object again'), one, whole, 'm'),
    apply(called('less of the status'), `${one}/status`, less, 'm'),
    apply(called('less of the object'), one, less, 'm'),
    apply(called('by another manager'), `${one}/status`, whole, 'n'),
    apply(called('by another manager with force'), `${one}/status`, whole, 'n&force=true'),
    apply(called('with a wrong name'), `${one}/status`, { ...whole, metadata: { name: 'other' } }, 'm'),
    get(called('at the end'), one),
  ];
}

const labelled = { labels: { l: '1' }, annotations: { n: '1' }, finalizers: ['example.com/f'] };
const configured = pane('both', 'v1', { spec: { x: '1' }, status: { a: '1' } }, labelled);
const deployed = { ...deployment('both', {}, labelled), status: { replicas: 3, conditions: [] } };
const conditionsOf = (...types: readonly string[]): object => ({
  conditions: types.map((type) => ({ type, status: 'True', lastTransitionTime: '2001-01-01T00:00:00Z' })),
});
const podStatus = (status: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, status });
const pods = places.pods(space);

export const statusOwners = script(
  'status-owners',
  inNamespace(space),
  define(custom),
  ['v1', 'v1beta1', 'v1alpha1'].flatMap(versionStory),
  bothStory('pane', `${at('v1')}/both`, configured, pane('both', 'v1', {}, { labels: { l: '1' } })),
  bothStory(
    'pane of v1beta1',
    `${at('v1beta1')}/beta`,
    { ...pane('beta', 'v1beta1', { spec: { x: '1' }, status: { a: '1' } }, labelled) },
    pane('beta', 'v1beta1'),
  ),
  bothStory('deployment', `${places.deployments(space)}/both`, deployed, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'both' },
  }),
  bothStory('config map', `${places.configMaps(space)}/both`, configMap('both'), configMap('both', {})),
  // Conditions of a pod that several components write.
  post('a pod', pods, pod('p')),
  apply('pod: a condition', `${pods}/p/status`, podStatus(conditionsOf('A')), 'a'),
  apply('pod: another one by another', `${pods}/p/status`, podStatus(conditionsOf('B')), 'b'),
  apply('pod: both by the first', `${pods}/p/status`, podStatus(conditionsOf('A', 'B')), 'a'),
  apply('pod: none by the second', `${pods}/p/status`, podStatus(conditionsOf()), 'b'),
  apply('pod: one twice', `${pods}/p/status`, podStatus(conditionsOf('A', 'A')), 'a'),
  apply('pod: without a type', `${pods}/p/status`, podStatus({ conditions: [{ status: 'True' }] }), 'a'),
  patch('pod: replaced', 'merge', `${pods}/p/status?fieldManager=k`, { status: conditionsOf('C') }),
  apply('pod: after it was replaced', `${pods}/p/status`, podStatus(conditionsOf('A')), 'a'),
  patch('pod: addresses', 'strategic', `${pods}/p/status`, {
    status: { podIP: '1.2.3.4', podIPs: [{ ip: '1.2.3.4' }] },
  }),
  patch('pod: other addresses', 'strategic', `${pods}/p/status`, {
    status: { podIP: '1.2.3.5', podIPs: [{ ip: '1.2.3.5' }] },
  }),
  apply('pod: addresses applied', `${pods}/p/status`, podStatus({ podIPs: [{ ip: '1.2.3.6' }] }), 'c'),
  get('pod: at the end', `${pods}/p`),
);
