import {
  get,
  inNamespace,
  patch,
  post,
  put,
  remove,
  scenario,
  type Step,
  tableType,
  metadataType,
  metadataListType,
} from '../scenario.ts';
import { apply, merge } from './apply-step.ts';
import { define, undefine } from './definition-steps.ts';

const group = 'shop.example.com';
const space = 'diff-custom';
const toys = `/apis/${group}/v1/namespaces/${space}/toys`;
const path = `${toys}/one`;

const properties = {
  spec: {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1, maximum: 10 },
      color: { type: 'string', enum: ['red', 'green'], default: 'red' },
      replicas: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      parts: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, count: { type: 'integer', default: 1 } },
        },
      },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      port: { 'x-kubernetes-int-or-string': true },
      maybe: { type: 'string', nullable: true },
      words: { type: 'object', additionalProperties: { type: 'string' } },
      inner: { type: 'object', properties: { depth: { type: 'number', default: 1.5 } }, default: {} },
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  },
  status: {
    type: 'object',
    properties: {
      phase: { type: 'string', maxLength: 5 },
      replicas: { type: 'integer' },
      selector: { type: 'string' },
      seen: { type: 'boolean', default: false },
    },
  },
};

const version = {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Color', type: 'string', jsonPath: '.spec.color', description: 'its color' },
    { name: 'Parts', type: 'string', jsonPath: '.spec.parts[*].name', priority: 1 },
    { name: 'First', type: 'string', jsonPath: '.spec.parts[?(@.name=="a")].count' },
    { name: 'Free', type: 'string', jsonPath: '.spec.free' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
};

const definition = {
  group,
  plural: 'toys',
  kind: 'Toy',
  properties,
  version,
  names: { singular: 'toy', shortNames: ['ty'], categories: ['all'] },
};

function toy(name: string, spec: object, more: object = {}): object {
  return { apiVersion: `${group}/v1`, kind: 'Toy', metadata: { name }, spec, ...more };
}

const bodies: readonly (readonly [name: string, body: unknown])[] = [
  ['nothing but a name', { metadata: { name: 'bare' } }],
  ['another kind', { ...toy('x', { size: 1 }), kind: 'Toys' }],
  ['another group', { ...toy('x', { size: 1 }), apiVersion: 'v1' }],
  ['another version', { apiVersion: `${group}/v2`, kind: 'Toy', metadata: { name: 'x' } }],
  ['no kind', { apiVersion: `${group}/v1`, metadata: { name: 'x' }, spec: { size: 1 } }],
  ['no version', { kind: 'Toy', metadata: { name: 'x' }, spec: { size: 1 } }],
  ['a number as metadata', { ...toy('x', { size: 1 }), metadata: 5 }],
  ['a number as name', { ...toy('x', { size: 1 }), metadata: { name: 5 } }],
  ['a number as label', { ...toy('x', { size: 1 }), metadata: { name: 'x', labels: { a: 1 } } }],
  ['a wrong label', { ...toy('x', { size: 1 }), metadata: { name: 'x', labels: { 'a b': '-' } } }],
  ['a wrong name', toy('X_y', { size: 1 })],
  ['no spec', { ...toy('x', {}), spec: null }],
  ['a text as spec', { ...toy('x', {}), spec: 'text' }],
  ['a list as spec', { ...toy('x', {}), spec: [{ size: 1 }] }],
  ['no size', toy('x', {})],
  ['a text as size', toy('x', { size: 'big' })],
  ['a fraction as size', toy('x', { size: 1.5 })],
  ['a large size', toy('x', { size: 11 })],
  ['no size at all', toy('x', { size: null })],
  ['an unknown color', toy('x', { size: 1, color: 'blue' })],
  ['tags twice', toy('x', { size: 1, tags: ['a', 'b', 'a', 'a', 'b'] })],
  ['parts twice', toy('x', { size: 1, parts: [{ name: 'a' }, { name: 'b' }, { name: 'a', count: 2 }] })],
  ['a part without name', toy('x', { size: 1, parts: [{ count: 2 }, {}] })],
  ['a text as part', toy('x', { size: 1, parts: ['a'] })],
  ['a list as port', toy('x', { size: 1, port: [] })],
  ['null words', toy('x', { size: 1, words: { a: null, b: 'c' }, maybe: null, color: null })],
  ['numbers as words', toy('x', { size: 1, words: { a: 1 } })],
  ['negative replicas', toy('x', { size: 1, replicas: -1 })],
  ['many replicas', toy('x', { size: 1, replicas: 3_000_000_000 })],
  ['an embedded object of no kind', toy('x', { size: 1, template: { metadata: { name: 'a b/' } } })],
  [
    'an embedded object with wrong labels',
    toy('x', { size: 1, template: { apiVersion: 'v1', kind: 'a b', metadata: { labels: { 'a b': 'c' }, extra: 1 } } }),
  ],
  ['a number as embedded kind', toy('x', { size: 1, template: { apiVersion: 'v1', kind: 5 } })],
];

const creations: readonly Step[] = bodies.flatMap(([name, body]) => [
  post(`create: ${name}`, `${toys}?dryRun=All`, body),
]);

const unknown = toy('x', { size: 1, other: 1, parts: [{ name: 'a', other: { deep: 1 } }] }, { more: { a: 1 } });
const repeated = `{"apiVersion":"${group}/v1","kind":"Toy","metadata":{"name":"x","more":1,"name":"x"},"spec":{"size":1,"size":2,"free":{"a":1,"a":2},"zz":1}}`;

export const customResources = scenario('custom-resources', [
  inNamespace(space),
  get(`/apis/${group}`),
  get(`/apis/${group}/v1`),
  get(toys),
  ...define(definition),
  { ...get(`/apis/${group}/v1`), name: 'the group is there', until: 'toys/scale' },
  get(`/apis/${group}`),
  get(`/apis/${group}/v1`),
  post(
    'create',
    toys,
    toy('one', { size: 1, parts: [{ name: 'a' }], free: { b: 1, a: [null] } }, { status: { phase: 'x' } }),
  ),
  ...creations,
  ...['Strict', 'Warn', 'Ignore'].flatMap((mode) => [
    post(`unknown fields, ${mode}`, `${toys}?dryRun=All&fieldValidation=${mode}`, unknown),
    post(`repeated fields, ${mode}`, `${toys}?dryRun=All&fieldValidation=${mode}`, repeated),
  ]),
  post(
    'in YAML',
    `${toys}?dryRun=All`,
    `apiVersion: ${group}/v1\nkind: Toy\nmetadata: {generateName: gen-}\nspec: {size: 2}\n`,
    {
      contentType: 'application/yaml',
    },
  ),
  post('in text', toys, 'k8s', { contentType: 'text/plain' }),
  post('again', toys, toy('one', { size: 1 })),
  get(path),
  get(path, { accept: 'application/yaml' }),
  get(path, { accept: 'application/vnd.kubernetes.protobuf' }),
  get(path, { accept: 'application/vnd.kubernetes.protobuf,application/json' }),
  get(path, { accept: 'text/html' }),
  get(path, { accept: tableType }),
  get(path, { accept: metadataType }),
  get(toys),
  get(toys, { accept: tableType }),
  get(`${toys}?includeObject=Object`, { accept: tableType }),
  get(toys, { accept: metadataListType }),
  get(toys, { accept: 'application/vnd.kubernetes.protobuf' }),
  get(`/apis/${group}/v1/toys`),
  get(`/apis/${group}/v1/toys/one`),
  get(`/apis/${group}/v2/namespaces/${space}/toys`),
  get(`${toys}?fieldSelector=spec.color%3Dred`),
  get(`${toys}?fieldSelector=spec.color%3Dgreen`),
  get(`${toys}?fieldSelector=spec.size%3D1,metadata.name%3Done`),
  get(`${toys}?fieldSelector=spec.other%3Dred`),
  get(`${toys}?labelSelector=a`),
  get(`${toys}?limit=1`),
  get(`${toys}?watch=1&timeoutSeconds=1&resourceVersion=0`),
  get(`${path}/status`),
  get(`${path}/scale`),
  get(`${path}/scale`, { accept: tableType }),
  get(`${path}/other`),
  get(`${toys}/none`),
  get(`${toys}/none/status`),
  put('replace without version', path, toy('one', { size: 2 })),
  put('replace with a wrong version', path, {
    ...toy('one', { size: 2 }),
    metadata: { name: 'one', resourceVersion: '1' },
  }),
  put('replace another', path, toy('two', { size: 2 })),
  put('replace nothing', `${toys}/none`, toy('none', { size: 2 })),
  merge('merge', path, { spec: { size: 3, color: 'green', other: 1 } }),
  merge('merge wrong', path, { spec: { size: 30 } }),
  merge('merge the status', path, { status: { phase: 'y' } }),
  merge('merge nothing', path, {}),
  merge('merge, strict', `${path}?fieldValidation=Strict`, { spec: { other: 1 } }),
  merge('merge the kind', path, { kind: 'Other' }),
  merge('merge finalizers', path, { metadata: { finalizers: ['plain', 'a.b', 'a.b/c'], labels: { a: 'b' } } }),
  patch('json', path, { type: 'json', body: [{ op: 'replace', path: '/spec/size', value: 4 }] }),
  patch('json, a test', path, { type: 'json', body: [{ op: 'test', path: '/spec/size', value: 5 }] }),
  patch('json, wrong', path, { type: 'json', body: [{ op: 'remove', path: '/spec/size' }] }),
  patch('strategic', path, { type: 'strategic', body: { spec: { size: 4 } } }),
  apply('apply', path, toy('one', { size: 5, parts: [{ name: 'b', count: 3 }], tags: ['x'] })),
  apply(
    'apply, forced',
    path,
    toy('one', { size: 5, parts: [{ name: 'b', count: 3 }], tags: ['x'] }),
    'two&force=true',
  ),
  apply('apply less', path, toy('one', { size: 5 }), 'two&force=true'),
  apply('apply unknown', path, toy('one', { size: 5, other: 1 }), 'two&force=true'),
  apply('apply unknown, strict', path, toy('one', { size: 5, other: 1 }), 'two&force=true&fieldValidation=Strict'),
  apply('apply a text', path, toy('one', { size: 'x' }), 'two&force=true'),
  apply('apply wrong', path, toy('one', { size: 50 }), 'two&force=true'),
  apply('apply a new one', `${toys}/two`, toy('two', { size: 5 }), 'two'),
  apply('apply a new one, wrong', `${toys}/three`, toy('three', {}), 'two'),
  merge('status', `${path}/status`, {
    spec: { size: 9 },
    metadata: { labels: { c: 'd' } },
    status: { phase: 'ok', replicas: 2, other: 1 },
  }),
  merge('status, wrong', `${path}/status`, { status: { phase: 'much too long' } }),
  merge('status, negative', `${path}/status`, { status: { replicas: -2 } }),
  apply('status, applied', `${path}/status`, { ...toy('one', {}), status: { selector: 'a=b' } }, 'three'),
  put('status, replaced without version', `${path}/status`, { ...toy('one', {}), status: { phase: 'put' } }),
  get(`${path}/scale`),
  put('scale', `${path}/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'one', namespace: space },
    spec: { replicas: 3 },
  }),
  merge('scale, patched', `${path}/scale`, { spec: { replicas: 5 } }),
  merge('scale, negative', `${path}/scale`, { spec: { replicas: -5 } }),
  merge('scale, nothing', `${toys}/two/scale`, { metadata: {} }),
  get(path),
  post('generate', toys, { ...toy('', { size: 1 }), metadata: { generateName: 'gen-' } }),
  remove('delete', path),
  remove('delete again', path),
  merge('let go', path, { metadata: { finalizers: null } }),
  get(path),
  remove('delete one in a dry run', `${toys}/two?dryRun=All`),
  remove('delete the rest', toys),
  get(toys),
  ...undefine(`toys.${group}`),
  { ...get(`/apis/${group}`), name: 'the group is gone', until: 'page not found' },
  get(toys),
]);
