import { configMap, deployment, instance, places } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'reset';
const custom = {
  group: 'reset.example.com',
  plural: 'knobs',
  kind: 'Knob',
  properties: {
    spec: { type: 'object', properties: { a: { type: 'string' } } },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  version: { subresources: { status: {} } },
} as const;

const entry = (more: object = {}): object => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { 'f:a': {} } },
  ...more,
});

const lists: { readonly [name: string]: unknown } = {
  'one empty entry': [{}],
  'two empty entries': [{}, {}],
  'an empty entry and another': [{}, entry()],
  'an entry': [entry()],
  'an apply': [entry({ operation: 'Apply' })],
  'two of one': [entry(), entry()],
  'another operation': [entry({ operation: 'Patch' })],
  'no operation': [{ manager: 'm', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
  'no manager': [{ operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': {} } }],
  'no type of fields': [entry({ fieldsType: undefined })],
  'another type of fields': [entry({ fieldsType: 'FieldsV2' })],
  'no fields': [entry({ fieldsV1: undefined })],
  'null fields': [entry({ fieldsV1: null })],
  'empty fields': [entry({ fieldsV1: {} })],
  'fields that cannot be parsed': [entry({ fieldsV1: { 'x:data': {} } })],
  'fields without a kind': [entry({ fieldsV1: { data: {} } })],
  'fields that are a text': [entry({ fieldsV1: 'x' })],
  'fields of keys': [entry({ fieldsV1: { 'k:{"a":1}': {} } })],
  'fields that are not there': [entry({ fieldsV1: { 'f:nope': { 'f:x': {} } } })],
  'no version': [entry({ apiVersion: undefined })],
  'no time': [entry({ time: undefined })],
  'a wrong time': [entry({ time: 'yesterday' })],
  'a later time': [entry({ time: '2020-06-01T00:00:00.5Z' })],
  'a subresource': [entry({ subresource: 'status' })],
  'a long manager': [entry({ manager: 'm'.repeat(129) })],
  'a manager that cannot be printed': [entry({ manager: 'a\u0001b' })],
  'an unknown field': [entry({ nope: 1 })],
  null: null,
  'a null entry': [null],
  'a text': 'x',
};

type Subject = { readonly one: string; readonly collection: string; readonly of: (metadata: object) => object };
const configMaps = places.configMaps(space);
const knobs = places.custom(custom.group, custom.plural, space);
const subjects: { readonly [name: string]: Subject } = {
  'config map': {
    collection: configMaps,
    one: `${configMaps}/a`,
    of: (metadata) => configMap('a', { a: '1' }, metadata),
  },
  knob: {
    collection: knobs,
    one: `${knobs}/a`,
    of: (metadata) => instance(custom, 'a', { spec: { a: '1' } }, metadata),
  },
};

function listSteps(subject: string, { one, collection, of }: Subject): readonly Step[] {
  return [
    post(`${subject}: create`, collection, of({ labels: { l: '1' } })),
    ...forEach(lists, (managedFields, name) => [
      patch(`${subject}: merge ${name}`, 'merge', `${one}?dryRun=All`, { metadata: { managedFields } }),
      put(`${subject}: put ${name}`, `${one}?dryRun=All`, of({ managedFields })),
      apply(`${subject}: apply ${name}`, `${one}?dryRun=All`, of({ managedFields }), 'x&force=true'),
    ]),
    patch(`${subject}: an empty list`, 'json', `${one}?dryRun=All`, [
      { op: 'replace', path: '/metadata/managedFields', value: [{}] },
    ]),
    patch(`${subject}: no list`, 'json', `${one}?dryRun=All`, [{ op: 'remove', path: '/metadata/managedFields' }]),
    patch(`${subject}: reset`, 'merge', one, { metadata: { managedFields: [{}] } }),
    get(`${subject}: nothing owned`, one),
    apply(`${subject}: apply to what nobody owns`, one, of({ labels: { l: '2' } }), 'x'),
    patch(`${subject}: reset and change`, 'merge', `${one}?fieldManager=y`, {
      metadata: { managedFields: [{}], labels: { l: '3' } },
    }),
    apply(`${subject}: apply after that`, one, of({ labels: { l: '2' } }), 'x'),
    patch(`${subject}: a part of them`, 'json', one, [{ op: 'remove', path: '/metadata/managedFields/0' }]),
    get(`${subject}: what is left`, one),
    apply(`${subject}: apply again`, one, of({}), 'x'),
    remove(`${subject}: delete`, one),
  ];
}

const deployments = places.deployments(space);

/** Reports: `managedFields: [{}]`, entries that a controller or a backup wrote back. */
export const managedFieldsReset = script(
  'managed-fields-reset',
  inNamespace(space),
  define(custom),
  Object.entries(subjects).flatMap(([name, subject]) => listSteps(name, subject)),
  apply('a deployment', `${deployments}/d`, deployment('d'), 'one'),
  apply(
    'its status',
    `${deployments}/d/status`,
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, status: { replicas: 1 } },
    'two',
  ),
  patch('reset through the status', 'merge', `${deployments}/d/status`, { metadata: { managedFields: [{}] } }),
  apply('apply', `${deployments}/d`, deployment('d'), 'one'),
  patch('reset through the scale', 'merge', `${deployments}/d/scale`, { metadata: { managedFields: [{}] } }),
  get('still there', `${deployments}/d`),
  // A backup is restored with its owners.
  post(
    'restore with owners',
    configMaps,
    configMap('r', { a: '1' }, { managedFields: [entry({ manager: 'velero', operation: 'Apply' })] }),
  ),
  post(
    'restore with owners of another version',
    configMaps,
    configMap('r2', { a: '1' }, { managedFields: [entry({ apiVersion: 'v2' })] }),
  ),
  post(
    'restore with broken owners',
    configMaps,
    configMap('r3', { a: '1' }, { managedFields: [entry({ fieldsV1: { x: {} } })] }),
  ),
  apply('apply to the restored', `${configMaps}/r`, configMap('r', {}), 'velero'),
  get('what is restored', `${configMaps}`),
);
