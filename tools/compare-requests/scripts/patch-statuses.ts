import { configMap, deployment, instance, places, pod } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, inNamespace, patch, type PatchType, post } from '../steps.ts';

const space = 'patched';
const custom = {
  group: 'patched.example.com',
  plural: 'pads',
  kind: 'Pad',
  properties: {
    spec: {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'integer', minimum: 0 },
        e: { type: 'string', enum: ['x', 'y'] },
        list: { type: 'array', maxItems: 2, items: { type: 'string' } },
      },
    },
  },
} as const;
type Subject = { readonly collection: string; readonly object: object };
const subjects: { readonly [name: string]: Subject } = {
  'config map': { collection: places.configMaps(space), object: configMap('a', { a: '1', b: '2' }) },
  pod: { collection: places.pods(space), object: pod('a') },
  deployment: { collection: places.deployments(space), object: deployment('a') },
  pad: {
    collection: places.custom(custom.group, custom.plural, space),
    object: instance(custom, 'a', { spec: { a: 1, list: ['p'] } }),
  },
};

const op = (name: string, path: string, value?: unknown): readonly object[] => [
  { op: name, path, ...(value === undefined ? {} : { value }) },
];
const jsonPatches: { readonly [name: string]: unknown } = {
  'an empty list': [],
  'an unknown operation': op('nope', '/metadata'),
  'no operation': [{ path: '/metadata', value: 1 }],
  'no path': [{ op: 'add', value: 1 }],
  'no value': [{ op: 'add', path: '/metadata/labels' }],
  'a path without a slash': op('add', 'metadata', {}),
  'an empty path': op('replace', '', {}),
  'a removed object': op('remove', ''),
  'a missing parent': op('add', '/nope/nope/nope', 1),
  'a missing one to remove': op('remove', '/metadata/labels/nope'),
  'a missing one to replace': op('replace', '/metadata/nope', 1),
  'a test that fails': op('test', '/metadata/name', 'b'),
  'a test that holds': op('test', '/metadata/name', 'a'),
  'a test of what is missing': op('test', '/metadata/nope', null),
  'a test for null': op('test', '/metadata/name', null),
  'a test of an object': op('test', '/metadata/labels', {}),
  'a move': [{ op: 'move', from: '/metadata/name', path: '/metadata/namespace' }],
  'a move without from': [{ op: 'move', path: '/metadata/namespace' }],
  'a copy': [{ op: 'copy', from: '/metadata/name', path: '/metadata/annotations' }],
  'a copy of nothing': [{ op: 'copy', from: '/nope', path: '/metadata/labels' }],
  'an index that is none': op('add', '/metadata/finalizers/x', 'a/b'),
  'the end of no list': op('add', '/metadata/finalizers/-', 'a/b'),
  'an index too far': [
    { op: 'add', path: '/metadata/finalizers', value: [] },
    { op: 'add', path: '/metadata/finalizers/5', value: 'a/b' },
  ],
  'a negative index': [
    { op: 'add', path: '/metadata/finalizers', value: ['a/b'] },
    { op: 'remove', path: '/metadata/finalizers/-1' },
  ],
  'an escaped key': op('add', '/metadata/annotations', { 'a/b~c': '1' }),
  'an escape of none': op('add', '/metadata/annotations~2', {}),
  'labels that are texts': op('add', '/metadata/labels', 'x'),
  'a label that is a number': op('add', '/metadata/labels', { a: 1 }),
  'a bad label': op('add', '/metadata/labels', { 'a b': 'c' }),
  'another name': op('replace', '/metadata/name', 'b'),
  'another kind': op('replace', '/kind', 'Nope'),
  'another version': op('replace', '/apiVersion', 'nope/v1'),
  'no kind': op('remove', '/kind'),
  'null metadata': op('add', '/metadata', null),
  'an object': { op: 'add' },
  'a list of texts': ['x'],
  'a list of null': [null],
  'a text': '"x"',
  'not JSON': '[{]',
  nothing: '',
  'an unknown field': op('add', '/nope', 1),
};

const mergePatches: { readonly [name: string]: unknown } = {
  nothing: {},
  'a list': [],
  null: 'null',
  'a text': '"x"',
  'a number': '1',
  'not JSON': '{',
  'no body': '',
  'labels that are a text': { metadata: { labels: 'x' } },
  'a label that is a number': { metadata: { labels: { a: 1 } } },
  'a bad label': { metadata: { labels: { a: 'b c' } } },
  'null metadata': { metadata: null },
  'metadata that are a list': { metadata: [] },
  'a null name': { metadata: { name: null } },
  'another name': { metadata: { name: 'b' } },
  'another namespace': { metadata: { namespace: 'default' } },
  'another kind': { kind: 'Nope' },
  'another version': { apiVersion: 'v9' },
  'a generation': { metadata: { generation: 99 } },
  'a creation time': { metadata: { creationTimestamp: '2001-01-01T00:00:00Z' } },
  'a deletion time': { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } },
  'a bad finalizer': { metadata: { finalizers: ['x'] } },
  'a bad owner': { metadata: { ownerReferences: [{ kind: 'x' }] } },
  'unknown fields': { nope: 1, metadata: { nope: 2 } },
  'a key twice': '{"metadata":{"labels":{"a":"1"}},"metadata":{"labels":{"b":"2"}}}',
  'a null spec': { spec: null },
  'a spec that is a text': { spec: 'x' },
  'wrong values': { spec: { a: -1, e: 'z', list: ['a', 'b', 'c'], replicas: -1 } },
  'wrong types': { spec: { a: 'x', list: 'y', replicas: 'z' } },
  'immutable fields': { immutable: true, data: { a: '9' } },
};

const asPatch =
  (type: PatchType, subject: string, { collection }: Subject) =>
  (body: unknown, name: string): readonly Step[] => [
    patch(`${subject}: ${type}: ${name}`, type, `${collection}/a?dryRun=All`, body),
  ];

/** Reports: which status, reason and words a patch fails with. */
export const patchStatuses = script(
  'patch-statuses',
  inNamespace(space),
  define(custom),
  forEach(subjects, (subject, name) => [
    post(`${name}: create`, subject.collection, subject.object),
    ...forEach(jsonPatches, asPatch('json', name, subject)),
    ...forEach(mergePatches, asPatch('merge', name, subject)),
    ...forEach(mergePatches, asPatch('strategic', name, subject)),
    ...forEach(
      {
        'no type': '',
        JSON: 'application/json',
        'a charset': 'application/merge-patch+json; charset=utf-8',
        'a text': 'text/plain',
        CBOR: 'application/apply-patch+cbor',
      },
      (contentType, how) =>
        patch(`${name}: ${how}`, 'merge', `${subject.collection}/a?dryRun=All`, {}, { contentType }),
    ),
    patch(
      `${name}: many operations`,
      'json',
      `${subject.collection}/a?dryRun=All`,
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/metadata/name', value: 'a' })),
    ),
    patch(`${name}: of none`, 'json', `${subject.collection}/zz`, []),
    get(`${name}: at the end`, `${subject.collection}/a`),
  ]),
);
