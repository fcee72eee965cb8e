import type { JsonObject } from '../../../src/api/json/json.ts';
import { create, type CaseStep, map, patchOf, rules, setData, type WebhookCase, mergePatch } from '../case-parts.ts';

const one = '/metadata';

/** Patches of an update: what may not change, and what nobody may set. */
const updates: readonly WebhookCase[] = [
  ...[
    { op: 'replace', path: `${one}/uid`, value: 'other' },
    { op: 'remove', path: `${one}/uid` },
    { op: 'replace', path: `${one}/resourceVersion`, value: '1' },
    { op: 'remove', path: `${one}/resourceVersion` },
    { op: 'replace', path: `${one}/creationTimestamp`, value: '2001-01-01T00:00:00Z' },
    { op: 'remove', path: `${one}/creationTimestamp` },
    { op: 'replace', path: `${one}/creationTimestamp`, value: 'soon' },
    { op: 'add', path: `${one}/deletionTimestamp`, value: '2001-01-01T00:00:00Z' },
    { op: 'add', path: `${one}/deletionGracePeriodSeconds`, value: 7 },
    { op: 'add', path: `${one}/generation`, value: 7 },
    { op: 'add', path: `${one}/selfLink`, value: '/x' },
    { op: 'replace', path: `${one}/name`, value: 'other' },
    { op: 'replace', path: `${one}/namespace`, value: 'other' },
    { op: 'remove', path: `${one}/name` },
    { op: 'remove', path: `${one}/namespace` },
    { op: 'remove', path: `${one}/managedFields` },
    { op: 'replace', path: `${one}/managedFields`, value: [] },
    { op: 'replace', path: `${one}/managedFields`, value: null },
    { op: 'replace', path: `${one}/managedFields`, value: [{}] },
    { op: 'replace', path: `${one}/managedFields`, value: 'x' },
    { op: 'replace', path: `${one}/managedFields/0/manager`, value: 'other' },
    { op: 'replace', path: `${one}/managedFields/0/operation`, value: 'Apply' },
    { op: 'replace', path: `${one}/managedFields/0/operation`, value: 'Frobnicate' },
    { op: 'replace', path: `${one}/managedFields/0/fieldsV1`, value: { 'x:data': {} } },
    { op: 'replace', path: `${one}/managedFields/0/fieldsType`, value: 'FieldsV2' },
    { op: 'replace', path: `${one}/managedFields/0/apiVersion`, value: 'v9' },
    { op: 'replace', path: `${one}/managedFields/0/time`, value: 'soon' },
    { op: 'add', path: `${one}/managedFields/0/subresource`, value: 'status' },
    { op: 'add', path: `${one}/labels`, value: { a: 7 } },
    { op: 'add', path: `${one}/labels`, value: [] },
    { op: 'add', path: `${one}/labels`, value: { a: null } },
    { op: 'add', path: `${one}/annotations`, value: { a: 'x'.repeat(262_145) } },
    { op: 'add', path: `${one}/ownerReferences`, value: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] },
    {
      op: 'add',
      path: `${one}/ownerReferences`,
      value: ['a', 'b'].map((name) => ({ apiVersion: 'v1', kind: 'Pod', name, uid: name, controller: true })),
    },
    { op: 'add', path: `${one}/unknown`, value: 1 },
    { op: 'replace', path: one, value: null },
    { op: 'replace', path: one, value: 'x' },
    { op: 'replace', path: one, value: {} },
    { op: 'replace', path: '/kind', value: 'Secret' },
    { op: 'replace', path: '/kind', value: 'Nothing' },
    { op: 'replace', path: '/kind', value: 7 },
    { op: 'replace', path: '/apiVersion', value: 'v2' },
    { op: 'replace', path: '/apiVersion', value: 'a/b/c' },
    { op: 'remove', path: '/apiVersion' },
    { op: 'add', path: '/immutable', value: 'true' },
    { op: 'add', path: '/data', value: { large: 'x'.repeat(1_100_000) } },
    { op: 'add', path: '/data', value: { a: { b: 'c' } } },
    { op: 'add', path: '/data', value: { a: null } },
    { op: 'add', path: '/DATA', value: { a: 'x' } },
    { op: 'replace', path: '', value: { kind: 'ConfigMap', apiVersion: 'v1', metadata: {} } },
  ].map((operation) => updating(`update: ${JSON.stringify(operation).slice(0, 120)}`, operation as JsonObject)),
  updating(
    'update: lists by index',
    { op: 'add', path: `${one}/finalizers`, value: ['example.com/a', 'example.com/b'] },
    { op: 'add', path: `${one}/finalizers/1`, value: 'example.com/c' },
    { op: 'remove', path: `${one}/finalizers/0` },
    { op: 'test', path: `${one}/finalizers/0`, value: 'example.com/c' },
  ),
  ...['-1', '01', '5', '1e0', '+1', ' 0', '99999999999999999999'].map((index) =>
    updating(
      `update: the index ${JSON.stringify(index)}`,
      { op: 'add', path: `${one}/finalizers`, value: ['example.com/a'] },
      { op: 'add', path: `${one}/finalizers/${index}`, value: 'example.com/c' },
    ),
  ),
  ...['-', '-1', '1'].map((index) =>
    updating(
      `update: removes the index ${JSON.stringify(index)}`,
      { op: 'add', path: `${one}/finalizers`, value: ['example.com/a'] },
      { op: 'remove', path: `${one}/finalizers/${index}` },
    ),
  ),
  updating('update: moved into itself', { op: 'move', from: '/metadata', path: '/metadata/x' }),
  updating('update: copied into itself', { op: 'copy', from: '/data', path: '/data/x' }),
  updating(
    'update: copies of copies',
    { op: 'add', path: '/data/a', value: 'x'.repeat(1_000) },
    ...Array.from({ length: 8 }, (_, index) => ({ op: 'copy', from: '/data/a', path: `/data/c${index}` })),
  ),
  updating('update: a thousand operations', ...Array.from({ length: 1_000 }, (_, index) => setData(`k${index}`, 'x'))),
  updating('update: part of it does not apply', setData('b', '2'), { op: 'remove', path: '/data/none' }),
  updating('update: a test of a number', { op: 'test', path: '/data/a', value: 1 }),
  updating('update: a test of the whole', { op: 'test', path: '/data', value: { a: '1' } }, setData('b', '2')),
];

function updating(name: string, ...operations: JsonObject[]): WebhookCase {
  return {
    name,
    hooks: [{ type: 'mutating', fields: operationsOf('UPDATE'), answer: patchOf(...operations) }],
    steps: [
      create('one', { data: { a: '1' } }),
      { method: 'PATCH', path: 'configmaps/one?fieldManager=x', contentType: mergePatch, body: { data: { c: '1' } } },
    ],
  };
}

function operationsOf(...operations: string[]): JsonObject {
  return rules(['configmaps'], { operations });
}

const put = (more: JsonObject): CaseStep => ({ method: 'PUT', path: 'configmaps/one', body: map('one', more) });

/** Patches against what is forbidden without webhooks, and validation of the request itself. */
const others: readonly WebhookCase[] = [
  {
    name: 'an immutable object changes',
    hooks: [{ type: 'mutating', fields: operationsOf('UPDATE'), answer: patchOf(setData('a', '9')) }],
    steps: [
      create('one', { immutable: true, data: { a: '1' } }),
      put({ immutable: true, data: { a: '1' }, metadata: { name: 'one', labels: { x: 'y' } } }),
    ],
  },
  {
    name: 'an update that a patch takes back',
    hooks: [
      {
        type: 'mutating',
        fields: operationsOf('UPDATE'),
        answer: patchOf({ op: 'replace', path: '/data', value: { a: '1' } }),
      },
    ],
    steps: [create('one', { data: { a: '1' } }), put({ data: { a: '2' } })],
  },
  {
    name: 'an apply that a patch changes',
    hooks: [{ type: 'mutating', answer: patchOf(setData('b', 'of the webhook')) }],
    steps: ['1', '2'].map((value) => ({
      method: 'PATCH' as const,
      path: 'configmaps/one?fieldManager=me&force=true',
      contentType: 'application/apply-patch+yaml',
      body: map('one', { data: { a: value, b: 'mine' } }),
    })),
  },
  ...(['Strict', 'Warn', 'Ignore'] as const).map((validation) => ({
    name: `an unknown field of a patch, ${validation}`,
    hooks: [{ type: 'mutating' as const, answer: patchOf({ op: 'add', path: '/unknown', value: 1 }) }],
    steps: [{ ...create('one', { other: 1, data: { a: '1' } }), path: `configmaps?fieldValidation=${validation}` }],
  })),
  {
    name: 'a finalizer that a patch adds to what is being deleted',
    hooks: [
      {
        type: 'mutating',
        fields: operationsOf('UPDATE'),
        answer: patchOf({ op: 'add', path: '/metadata/finalizers', value: ['example.com/a', 'example.com/new'] }),
      },
    ],
    steps: [
      create('one', { metadata: { name: 'one', finalizers: ['example.com/a'] } }),
      { method: 'DELETE', path: 'configmaps/one' },
      { method: 'PATCH', path: 'configmaps/one', contentType: mergePatch, body: { metadata: { labels: { a: 'b' } } } },
    ],
  },
  {
    name: 'the last finalizer that a patch removes',
    hooks: [
      {
        type: 'mutating',
        fields: operationsOf('UPDATE'),
        answer: patchOf({ op: 'remove', path: '/metadata/finalizers' }),
      },
    ],
    steps: [
      create('one', { metadata: { name: 'one', finalizers: ['example.com/a'] } }),
      { method: 'DELETE', path: 'configmaps/one' },
      { method: 'PATCH', path: 'configmaps/one', contentType: mergePatch, body: { metadata: { labels: { a: 'b' } } } },
      { method: 'GET', path: 'configmaps/one' },
    ],
  },
];

export const patchCases: readonly WebhookCase[] = [...updates, ...others];
