import { get, inNamespace, patch, post, put, remove, scenario, type Step } from '../scenario.ts';
import { apply, configMap, merge } from './apply-step.ts';

const space = '/api/v1/namespaces/diff-managed';
const configMaps = `${space}/configmaps`;

function entry(more: object = {}): object {
  const fieldsV1 = { 'f:data': { 'f:p': {} } };
  return { manager: 'me', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1, ...more };
}

/** A client's own entries, in a PUT that changes `data.n` too. */
function replaced(name: string, entries: readonly object[], n: number): Step {
  const body = configMap({ p: '1', n: `${n}` }, { managedFields: entries });
  return put(name, `${configMaps}/a?fieldManager=put`, body);
}

const sentEntries: readonly (readonly [string, readonly object[]])[] = [
  ['a manager of 128 bytes', [entry({ manager: 'm'.repeat(128) })]],
  ['a manager of 129 bytes', [entry({ manager: 'm'.repeat(129) })]],
  ['a manager with a line break', [entry({ manager: 'a\nb' })]],
  ['a manager beyond ASCII', [entry({ manager: 'é中' })]],
  ['no manager', [entry({ manager: '' })]],
  ['a manager that is absent', [entry({ manager: undefined })]],
  ['an unknown operation', [entry({ operation: 'Replace' })]],
  ['no operation', [entry({ operation: undefined })]],
  ['no version', [entry({ apiVersion: undefined })]],
  ['an empty version', [entry({ apiVersion: '' })]],
  ['a version that is not served', [entry({ apiVersion: 'v7' })]],
  ['a version of another group', [entry({ apiVersion: 'apps/v1' })]],
  ['a version that is none', [entry({ apiVersion: 'a/b/c' })]],
  ['one version of two is not served', [entry(), entry({ manager: 'you', apiVersion: 'v7' })]],
  ['no type of fields', [entry({ fieldsType: undefined })]],
  ['another type of fields', [entry({ fieldsType: 'FieldsV2' })]],
  ['no fields', [entry({ fieldsV1: undefined })]],
  ['empty fields', [entry({ fieldsV1: {} })]],
  ['null for fields', [entry({ fieldsV1: null })]],
  ['fields that are no paths', [entry({ fieldsV1: { data: {} } })]],
  ['fields of an unknown kind', [entry({ fieldsV1: { 'x:data': {}, 'f:data': { 'f:p': {} } } })]],
  ['fields that are no objects', [entry({ fieldsV1: { 'f:data': 1 } })]],
  ['a list for fields', [entry({ fieldsV1: [] })]],
  ['a broken key', [entry({ fieldsV1: { 'k:{broken': {} } })]],
  ['fields in any order', [entry({ fieldsV1: { 'f:z': {}, 'f:data': { 'f:p': {}, '.': {} }, 'f:b': {} } })]],
  ['a time that is none', [entry({ time: 'yesterday' })]],
  ['a time', [entry({ time: '2020-01-02T03:04:05Z' })]],
  ['a time in another zone', [entry({ time: '2020-01-02T03:04:05+02:00' })]],
  ['two entries of one manager', [entry(), entry({ fieldsV1: { 'f:data': { 'f:n': {} } } })]],
  ['a subresource', [entry({ subresource: 'status' })]],
  ['a subresource of 256 bytes', [entry({ subresource: 's'.repeat(256) })]],
  ['a subresource of 257 bytes', [entry({ subresource: 's'.repeat(257) })]],
  ['fields of the server', [entry({ fieldsV1: { 'f:metadata': { 'f:uid': {}, 'f:name': {} } } })]],
  ['an empty entry and another', [{}, entry()]],
  ['an entry and an empty one', [entry(), {}]],
  ['two empty entries', [{}, {}]],
  ['one empty entry', [{}]],
  ['after the reset', []],
];

const sentSteps: readonly Step[] = [
  post('create', `${configMaps}?fieldManager=maker`, configMap({ p: '1', n: '0' })),
  ...sentEntries.flatMap(([name, entries], index) => [
    replaced(name, entries, index),
    merge(`a change after: ${name}`, `${configMaps}/a`, { data: { late: `${index}` } }, '?fieldManager=late'),
  ]),
  remove('delete', `${configMaps}/a`),
];

const createdSteps: readonly Step[] = sentEntries.flatMap(([name, entries], index) => [
  post(`created with ${name}`, `${configMaps}?fieldManager=post`, {
    ...configMap({ p: '1' }, { name: `c${index}`, managedFields: entries }),
  }),
]);

const managers: readonly (readonly [string, string])[] = [
  ['128 bytes', 'm'.repeat(128)],
  ['129 bytes', 'm'.repeat(129)],
  ['128 bytes beyond ASCII', encodeURIComponent('é'.repeat(64))],
  ['130 bytes beyond ASCII', encodeURIComponent('é'.repeat(65))],
  ['a line break', 'a%0Ab'],
  ['a tab', 'a%09b'],
  ['a blank', 'a%20b'],
  ['a control character', 'a%7Fb'],
  ['a soft hyphen', 'a%C2%ADb'],
  ['broken UTF-8', 'a%FFb'],
  ['a slash', 'a%2Fb'],
  ['a quote', 'a%22b'],
  ['a no-break space', 'a%C2%A0b'],
];

const managerSteps: readonly Step[] = managers.flatMap(([name, manager], index) => [
  post(`created by ${name}`, `${configMaps}?fieldManager=${manager}`, configMap({ p: '1' }, { name: `m${index}` })),
  apply(`applied by ${name}`, `${configMaps}/n${index}`, configMap({ p: '1' }, { name: `n${index}` }), manager),
]);

const agents: readonly (readonly [string, string])[] = [
  ['a product', 'kubectl/v1.37.1 (linux/amd64) kubernetes/abc'],
  ['no slash', 'curl'],
  ['a slash first', '/1.0'],
  ['nothing', ''],
  ['blanks', 'agent  name /1.0'],
  ['129 bytes', `${'a'.repeat(129)}/1`],
  ['129 bytes in two-byte characters', `x${'\u00c3\u00a9'.repeat(64)}/1`],
  ['a tab', 'a\tb/1'],
  ['two slashes', 'a//b'],
];

const agentSteps: readonly Step[] = agents.flatMap(([name, agent], index) => [
  post(`agent: ${name}`, configMaps, configMap({ p: '1' }, { name: `g${index}` }), {
    headers: { 'user-agent': agent },
  }),
  {
    ...apply(`applied by agent: ${name}`, `${configMaps}/g${index}`, configMap({ p: '2' }, { name: `g${index}` })),
    path: `${configMaps}/g${index}`,
    headers: { 'user-agent': agent },
  },
]);

const json = (name: string, path: string, body: unknown): Step => patch(name, path, { type: 'json', body });
const strategic = (name: string, path: string, body: unknown): Step => patch(name, path, { type: 'strategic', body });

/** Entries in patches. */
const patchSteps: readonly Step[] = [
  post('to be patched', `${configMaps}?fieldManager=maker`, configMap({ p: '1' }, { name: 'q' })),
  merge('merge: entries', `${configMaps}/q`, { metadata: { managedFields: [entry()] }, data: { a: '1' } }),
  merge('merge: null', `${configMaps}/q`, { metadata: { managedFields: null }, data: { a: '2' } }),
  merge('merge: empty list', `${configMaps}/q`, { metadata: { managedFields: [] }, data: { a: '3' } }),
  merge('merge: invalid', `${configMaps}/q`, { metadata: { managedFields: [entry({ operation: 'x' })] } }),
  merge('merge: reset', `${configMaps}/q`, { metadata: { managedFields: [{}] } }),
  merge('merge: change after the reset', `${configMaps}/q`, { data: { a: '4' } }),
  apply('merge: apply after the reset', `${configMaps}/q`, configMap({ b: '1' }, { name: 'q' })),
  json('json: add entries', `${configMaps}/q`, [{ op: 'add', path: '/metadata/managedFields', value: [entry()] }]),
  json('json: replace entries', `${configMaps}/q`, [
    { op: 'replace', path: '/metadata/managedFields', value: [entry({ manager: 'json' })] },
    { op: 'add', path: '/data/j', value: '1' },
  ]),
  json('json: remove entries', `${configMaps}/q`, [{ op: 'remove', path: '/metadata/managedFields' }]),
  json('json: reset', `${configMaps}/q`, [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]),
  json('json: replace what is not there', `${configMaps}/q`, [
    { op: 'replace', path: '/metadata/managedFields', value: [{}] },
  ]),
  apply('json: apply after the reset', `${configMaps}/q`, configMap({ b: '2' }, { name: 'q' }), 'one&force=true'),
  json('json: reset with a change', `${configMaps}/q`, [
    { op: 'replace', path: '/metadata/managedFields', value: [{}] },
    { op: 'replace', path: '/data/b', value: '3' },
  ]),
  strategic('strategic: entries', `${configMaps}/q`, { metadata: { managedFields: [entry()] }, data: { s: '1' } }),
  strategic('strategic: null', `${configMaps}/q`, { metadata: { managedFields: null }, data: { s: '2' } }),
  strategic('strategic: empty list', `${configMaps}/q`, { metadata: { managedFields: [] }, data: { s: '3' } }),
  strategic('strategic: reset', `${configMaps}/q`, { metadata: { managedFields: [{}] } }),
  apply('apply: empty list', `${configMaps}/q`, configMap({ b: '3' }, { name: 'q', managedFields: [] })),
  apply('apply: null', `${configMaps}/q`, configMap({ b: '3' }, { name: 'q', managedFields: null })),
  apply('apply: one empty entry', `${configMaps}/q`, configMap({ b: '3' }, { name: 'q', managedFields: [{}] })),
  apply('apply: entries', `${configMaps}/q`, configMap({ b: '3' }, { name: 'q', managedFields: [entry()] })),
  apply('apply: no list', `${configMaps}/q`, configMap({ b: '3' }, { name: 'q', managedFields: 'x' })),
  put('empty list with a change', `${configMaps}/q`, configMap({ b: '4' }, { name: 'q', managedFields: [] })),
  get(`${configMaps}/q`),
];

/** More managers than are kept. */
const capSteps: readonly Step[] = [
  apply('capped', `${configMaps}/cap`, configMap({ base: '1' }, { name: 'cap' }), 'applier'),
  ...Array.from({ length: 14 }, (_, i) =>
    merge(`manager ${i}`, `${configMaps}/cap`, { data: { [`k${i}`]: 'v' } }, `?fieldManager=u${10 + i}`),
  ),
  ...Array.from({ length: 3 }, (_, i) =>
    apply(`applier ${i}`, `${configMaps}/cap`, configMap({ [`k${i}`]: 'w' }, { name: 'cap' }), `a${i}&force=true`),
  ),
  merge('one more', `${configMaps}/cap`, { data: { k1: 'x' } }, '?fieldManager=v10'),
  apply('conflict with the joined', `${configMaps}/cap`, configMap({ k3: 'y', k4: 'y' }, { name: 'cap' }), 'a9'),
  merge('as the joined', `${configMaps}/cap`, { data: { k5: 'x' } }, '?fieldManager=ancient-changes'),
];

/** Field managers: names, number, entries sent by clients. */
export const managedFields = scenario('managed-fields', [
  inNamespace('diff-managed'),
  ...sentSteps,
  ...createdSteps,
  ...managerSteps,
  ...agentSteps,
  ...patchSteps,
  ...capSteps,
]);
