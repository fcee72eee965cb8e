import { get, inNamespace, patch, post, put, remove, scenario, type Step } from '../scenario.ts';
import { apply, configMap, merge } from './apply-step.ts';

const space = '/api/v1/namespaces/diff-applied';
const configMaps = `${space}/configmaps`;
const pods = `${space}/pods`;
const a = `${configMaps}/a`;
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

const pod = (spec: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { containers: [{ name: 'c', image: 'x' }], ...spec },
});

/** Bodies that are not configurations, and unusual ones that are. */
const bodySteps: readonly Step[] = [
  apply('nothing', a, ''),
  apply('blanks', a, ' \n'),
  apply('a comment', a, '# nothing\n'),
  apply('null', a, 'null'),
  apply('a number', a, '1'),
  apply('a boolean', a, 'true'),
  apply('a text', a, '"text"'),
  apply('a list', a, '[]'),
  apply('a list of objects', a, [configMap({})]),
  apply('a list of the API', a, { apiVersion: 'v1', kind: 'List', items: [configMap({})] }),
  apply('an empty object', a, {}),
  apply('two documents', a, `${head}data: {a: '1'}\n---\n${head}data: {a: '2'}\n`),
  apply('a document mark first', a, `---\n${head}data: {a: '1'}\n`),
  apply('a document end', a, `${head}data: {a: '1'}\n...\n`),
  apply('a bad indentation', a, 'apiVersion: v1\n kind: ConfigMap\n'),
  apply('a tab', a, 'apiVersion: v1\n\tkind: ConfigMap\n'),
  apply('an open brace', a, '{"apiVersion": "v1"'),
  apply('an unknown alias', a, `${head}data: {a: *none}\n`),
  apply('an alias', a, `${head}data: {a: &x 'one', b: *x}\n`),
  apply('keys that are numbers', a, `${head}data: {1: '1', 2.5: '2', true: '3'}\n`),
  apply('a null key', a, `${head}data: {~: '1'}\n`),
  apply('values that are booleans in YAML', a, `${head}data: {a: yes}\n`),
  apply('a trailing comma', a, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1"},}'),
  apply('text after the JSON', a, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}} x'),
  apply('no version', a, { kind: 'ConfigMap', metadata: { name: 'a' } }),
  apply('no kind', a, { apiVersion: 'v1', metadata: { name: 'a' } }),
  apply('a version that is no text', a, { apiVersion: 1, kind: 'ConfigMap', metadata: { name: 'a' } }),
  apply('a kind that is no text', a, { apiVersion: 'v1', kind: { x: 1 }, metadata: { name: 'a' } }),
  apply('a version with two slashes', a, { apiVersion: 'a/b/c', kind: 'ConfigMap', metadata: { name: 'a' } }),
  apply('no metadata', a, { apiVersion: 'v1', kind: 'ConfigMap' }),
  apply('null for metadata', a, { apiVersion: 'v1', kind: 'ConfigMap', metadata: null }),
  apply('a list for metadata', a, { apiVersion: 'v1', kind: 'ConfigMap', metadata: [] }),
  apply('a text for metadata', a, { apiVersion: 'v1', kind: 'ConfigMap', metadata: 'x' }),
  apply('a name that is no text', a, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 1 } }),
  apply('an empty name', a, configMap({}, { name: '' })),
  apply('another name', a, configMap({}, { name: 'b' })),
  apply('an invalid name', `${configMaps}/A_b`, configMap({}, { name: 'A_b' })),
  apply('a generated name', a, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'x-' } }),
  apply('both names', a, configMap({ a: '1' }, { generateName: 'x-' })),
  apply('another namespace', a, configMap({}, { namespace: 'default' })),
  apply('its namespace', a, configMap({ a: '1' }, { namespace: 'diff-applied' })),
  apply('an empty namespace', a, configMap({ a: '1' }, { namespace: '' })),
  apply('a namespace of a node', '/api/v1/nodes/diff-applied', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'diff-applied', namespace: 'default' },
  }),
  apply('nulls', a, configMap({ a: null, b: '1' }, { labels: null, annotations: { x: null } })),
  apply('empty maps', a, configMap({}, { labels: {}, annotations: {} })),
  apply('null for data', a, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: null }),
  apply('a time of creation', a, configMap({}, { creationTimestamp: '2020-01-01T00:00:00Z' })),
  apply('a null time of creation', a, configMap({}, { creationTimestamp: null })),
  apply('a generation', a, configMap({}, { generation: 7 })),
  apply('a time of deletion', a, configMap({}, { deletionTimestamp: '2020-01-01T00:00:00Z' })),
  apply('another uid', a, configMap({}, { uid: '11111111-2222-3333-4444-555555555555' })),
  apply('a stale version', a, configMap({ z: '1' }, { resourceVersion: '1' })),
  apply('a version that is none', a, configMap({ z: '1' }, { resourceVersion: 'x' })),
  apply('version zero', a, configMap({ z: '1' }, { resourceVersion: '0' })),
  apply('a version and no object', `${configMaps}/b`, configMap({}, { name: 'b', resourceVersion: '1' })),
  apply('version zero and no object', `${configMaps}/b0`, configMap({}, { name: 'b0', resourceVersion: '0' })),
  apply('a uid and no object', `${configMaps}/c`, configMap({}, { name: 'c', uid: 'x' })),
  apply('no such namespace', '/api/v1/namespaces/none/configmaps/a', configMap({})),
  apply('no such resource', `${space}/nothings/a`, configMap({})),
  apply('a collection', configMaps, configMap({})),
  { ...apply('JSON by its own name', a, configMap({ a: '1' })), contentType: 'application/apply-patch+json' },
  { ...apply('with a charset', a, configMap({ a: '1' })), contentType: 'application/apply-patch+yaml; charset=utf-8' },
  { ...apply('in capitals', a, configMap({ a: '1' })), contentType: 'Application/Apply-Patch+YAML' },
  apply('a finalizer twice', a, configMap({}, { finalizers: ['example.com/x', 'example.com/x'] })),
  apply(
    'an owner without a uid',
    a,
    configMap({}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x' }] }),
  ),
  apply('an owner twice', a, {
    ...configMap({}, { ownerReferences: [1, 2].map(() => ({ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u' })) }),
  }),
];

/** Query parameters. */
const querySteps: readonly Step[] = [
  { ...apply('no manager', a, configMap({})), path: a },
  apply('an empty manager', a, configMap({}), ''),
  apply('a manager too long', a, configMap({}), 'm'.repeat(129)),
  apply('a manager that cannot be printed', a, configMap({}), 'a%0Ab'),
  apply('several things wrong', a, configMap({}), '&dryRun=Some&fieldValidation=Perhaps'),
  apply('force that is neither', a, configMap({ a: '1' }), 'one&force=perhaps'),
  apply('force without a value', a, configMap({ a: '1' }), 'one&force'),
  apply('force=0', a, configMap({ a: '1' }), 'one&force=0'),
  apply('force=false', a, configMap({ a: '2' }), 'one&force=false'),
  apply('dry run', a, configMap({ dry: '1' }), 'one&dryRun=All'),
  apply('dry run twice', a, configMap({ dry: '1' }), 'one&dryRun=All&dryRun=All'),
  apply('dry run, empty', a, configMap({ dry: '1' }), 'one&dryRun='),
  apply('dry run, of something', a, configMap({ dry: '1' }), 'one&dryRun=Some'),
  apply('dry run that creates', `${configMaps}/dry`, configMap({ dry: '1' }, { name: 'dry' }), 'one&dryRun=All'),
  get(`${configMaps}/dry`),
  apply('dry run with a conflict', a, configMap({ dry: '2' }), 'two&dryRun=All'),
  apply('a conflict', a, configMap({ dry: '2' }), 'two'),
  ...(['json', 'merge', 'strategic'] as const).flatMap((type) => {
    const body = type === 'json' ? [{ op: 'add', path: '/data', value: { x: type } }] : { data: { x: type } };
    const step = (query: string): Step => patch(`${type} with ${query}`, `${a}?${query}`, { type, body });
    return [step('force=true'), step('force=false'), step('force'), step('fieldManager=x&dryRun=All')];
  }),
  put('force in a replacement', `${a}?force=true`, configMap({ a: '1' })),
  post('force in a creation', `${configMaps}?force=true`, configMap({ a: '1' }, { name: 'forced' })),
];

const strictBodies: readonly (readonly [string, unknown])[] = [
  ['an unknown field', { ...configMap({}), unknown: 1 }],
  ['an unknown field below', pod({ containers: [{ name: 'c', image: 'x', other: true }] })],
  ['an unknown field of metadata', configMap({}, { unknown: 'x' })],
  ['a repeated key', `${head}data: {a: x, a: z}\n`],
  ['two repeated keys', `${head}data: {a: x, a: w, b: x, b: z}\n`],
  ['a repeated and an unknown key', `${head}data: {a: x, a: z}\nunknown: 1\n`],
  ['a wrong type', { ...configMap({}), immutable: 'x' }],
  ['a wrong type and a repeated key', `${head}immutable: x\ndata: {a: x, a: z}\n`],
  ['keys of other case', { ...configMap({}), Data: { a: 'x' } }],
];

const validationSteps: readonly Step[] = strictBodies.flatMap(([name, body]) =>
  ['', 'Ignore', 'Warn', 'Strict', 'Perhaps'].map((level) => {
    const path = JSON.stringify(body).includes('"Pod"') ? `${pods}/p` : a;
    return apply(`${name}, ${level === '' ? 'by default' : level}`, path, body, `one&fieldValidation=${level}`);
  }),
);

const lateSteps: readonly Step[] = [
  post('with a finalizer', configMaps, configMap({ a: '1' }, { name: 'f', finalizers: ['example.com/x'] })),
  remove('delete it', `${configMaps}/f`),
  apply('apply to what is being deleted', `${configMaps}/f`, configMap({ b: '1' }, { name: 'f' })),
  apply('another finalizer', `${configMaps}/f`, configMap({}, { name: 'f', finalizers: ['example.com/y'] })),
  apply('the same finalizer', `${configMaps}/f`, configMap({}, { name: 'f', finalizers: ['example.com/x'] })),
  merge('without finalizers', `${configMaps}/f`, { metadata: { finalizers: null } }),
  apply('apply after it is gone', `${configMaps}/f`, configMap({ b: '1' }, { name: 'f' })),
  post('a generated name', `${configMaps}?fieldManager=maker`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'gen-' },
    data: { a: '1' },
  }),
  post('immutable', configMaps, { ...configMap({ a: '1' }, { name: 'i' }), immutable: true }),
  apply('a change of what is immutable', `${configMaps}/i`, configMap({ a: '2' }, { name: 'i' }), 'one&force=true'),
  apply('the same again', `${configMaps}/i`, configMap({ a: '1' }, { name: 'i' })),
];

/** Bodies and options of applies. */
export const applyBodies = scenario('apply-bodies', [
  inNamespace('diff-applied'),
  ...bodySteps,
  ...querySteps,
  ...validationSteps,
  ...lateSteps,
]);
