import type { JsonObject } from '../../../src/api/json/json.ts';
import {
  allowed,
  type CaseHook,
  create,
  map,
  mutating,
  patchOf,
  rawPatch,
  rules,
  setData,
  validating,
  type WebhookCase,
} from '../../webhooks/case-parts.ts';

// What answers of webhooks leave in audit events.

const annotated = (auditAnnotations: JsonObject, more: JsonObject = {}): CaseHook['answer'] => ({
  response: { allowed: true, auditAnnotations, ...more },
});
const broken: CaseHook['answer'] = { code: 500, body: 'oh no' };
const patched = JSON.stringify([setData('b', '2')]);

const keys: readonly WebhookCase[] = [
  ...['', 'a', 'A', 'a b', '-a', 'a-', 'a_b.c-d', 'x'.repeat(63), 'x'.repeat(64), 'é', 'a/b', '/a'].map((key) =>
    validating(`key ${JSON.stringify(key)}`, annotated({ [key]: 'value' })),
  ),
  ...['', ' blanks ', 'two\nlines', '<&> "quoted" \\ é 😀 \u2028', 'x'.repeat(20_000)].map((value) =>
    validating(`value ${JSON.stringify(value.slice(0, 40))}`, annotated({ a: value })),
  ),
  validating('value null', annotated({ a: null, b: 'c' })),
  validating('a number', annotated({ a: 1 }), { failurePolicy: 'Ignore' }),
  validating('none but null', { response: { allowed: true, auditAnnotations: null } }),
  validating('in v1beta1', annotated({ a: 'b' }), { admissionReviewVersions: ['v1beta1'] }),
  validating('denied', { response: { allowed: false, auditAnnotations: { a: 'b' } } }),
  mutating('mutating, denied', { response: { allowed: false, auditAnnotations: { a: 'b' } } }),
  mutating(
    'mutating, with a patch',
    annotated({ a: 'b' }, { patchType: 'JSONPatch', patch: Buffer.from(patched).toString('base64') }),
  ),
  mutating(
    'mutating, with a patch that does not apply',
    annotated(
      { a: 'b' },
      { patchType: 'JSONPatch', patch: Buffer.from('[{"op":"remove","path":"/x/y"}]').toString('base64') },
    ),
  ),
  {
    name: 'two of one name',
    hooks: ['first', 'second'].map((value) => ({
      type: 'mutating',
      fields: { name: 'same.example.com' },
      answer: annotated({ a: value }),
    })),
    steps: [create('one')],
  },
  {
    name: 'in both rounds',
    hooks: [
      {
        type: 'mutating',
        fields: { reinvocationPolicy: 'IfNeeded' },
        answer: (_, calls) => annotated({ a: String(calls), [`b${calls}`]: 'x' }) as { response: JsonObject },
      },
      { type: 'mutating', answer: patchOf(setData('b', '2')) },
    ],
    steps: [create('one', { data: { a: '1' } })],
  },
];

/** Patches as they are written into `patch.webhook.admission.k8s.io`. */
const patches: readonly WebhookCase[] = [
  mutating('a patch with marks', patchOf(setData('b', '<&> "quoted" \\ é 😀 \u2028'))),
  mutating('a patch with nothing', patchOf({ op: 'add', path: '/metadata/labels', value: null })),
  mutating(
    'a patch with more members',
    patchOf({ value: '2', path: '/data/b', op: 'add', from: '/x', other: { z: 1, a: [1] } }),
  ),
  mutating('a patch with blanks', rawPatch(' [ { "op" : "add", "path" : "/data/b" , "value" :  "2" } ] ')),
  mutating('a patch with unsorted keys', patchOf({ op: 'add', path: '/metadata/labels', value: { z: '1', a: '2' } })),
  mutating('a patch with escapes', rawPatch(String.raw`[{"op":"add","path":"\/data\/b","value":"\u0041\u003c\/<"}]`)),
  mutating('a patch with a key twice', rawPatch('[{"op":"add","path":"/data/b","value":"1","value":"2"}]')),
  mutating(
    'several operations',
    patchOf(setData('b', '2'), { op: 'remove', path: '/data/a' }, { op: 'test', path: '/data/b', value: '2' }),
  ),
  mutating('a long patch', patchOf(setData('b', 'x'.repeat(30_000)))),
  mutating(
    'a patch with numbers',
    rawPatch('[{"op":"add","path":"/data/b","value":"2","a":1.0,"b":1E2,"c":12345678901234567890,"d":-0,"e":[1.50]}]'),
  ),
  mutating('no operations', rawPatch('null')),
  mutating('in v1beta1', patchOf(setData('b', '2')), { admissionReviewVersions: ['v1beta1'] }),
  {
    name: 'at the level of metadata',
    hooks: [
      {
        type: 'mutating',
        fields: rules(['secrets']),
        answer: annotated(
          { a: 'b' },
          {
            patchType: 'JSONPatch',
            patch: Buffer.from(JSON.stringify([{ op: 'add', path: '/data', value: { b: 'aGk=' } }])).toString('base64'),
          },
        ),
      },
    ],
    steps: [{ method: 'POST', path: 'secrets', body: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'one' } } }],
  },
];

const failures: readonly WebhookCase[] = [
  ...(['Fail', 'Ignore'] as const).flatMap((failurePolicy): readonly WebhookCase[] => [
    mutating(`fails, ${failurePolicy}`, broken, { failurePolicy }),
    mutating(`is cut, ${failurePolicy}`, { nothing: 'cut' }, { failurePolicy }),
    mutating(`is late, ${failurePolicy}`, { nothing: 'silence' }, { failurePolicy, timeoutSeconds: 1 }),
    mutating(`no patch, ${failurePolicy}`, rawPatch('hello'), { failurePolicy }),
    mutating(
      `a wrong type of patch, ${failurePolicy}`,
      { response: { allowed: true, patchType: 'X', patch: 'W3t9XQ==' } },
      { failurePolicy },
    ),
    mutating(`a condition that fails, ${failurePolicy}`, patchOf(setData('b', '2')), {
      failurePolicy,
      matchConditions: [{ name: 'c', expression: "object.data.missing == 'x'" }],
    }),
    validating(`validating, a condition that fails, ${failurePolicy}`, annotated({ a: 'b' }), {
      failurePolicy,
      matchConditions: [{ name: 'c', expression: "object.data.missing == 'x'" }],
    }),
    validating(`validating, is late, ${failurePolicy}`, { nothing: 'silence' }, { failurePolicy, timeoutSeconds: 1 }),
    {
      ...mutating(`dry run, ${failurePolicy}`, patchOf(setData('b', '2')), {
        failurePolicy,
        sideEffects: 'NoneOnDryRun',
      }),
      steps: [{ method: 'POST', path: 'configmaps?dryRun=All', body: map('one', { data: { a: '1' } }) }],
    },
  ]),
  {
    name: 'several validating fail',
    hooks: [allowed, broken, annotated({ a: 'b' }), broken].map((answer) => ({
      type: 'validating',
      fields: { failurePolicy: 'Ignore' },
      answer,
    })),
    steps: [create('one')],
  },
  {
    name: 'several mutating fail',
    hooks: [broken, patchOf(setData('b', '2')), broken].map((answer) => ({
      type: 'mutating',
      fields: { failurePolicy: 'Ignore', reinvocationPolicy: 'IfNeeded' },
      answer,
    })),
    steps: [create('one', { data: { a: '1' } })],
  },
  {
    name: 'every write',
    hooks: [
      { type: 'mutating', answer: annotated({ a: 'b' }) },
      { type: 'validating', fields: { failurePolicy: 'Ignore' }, answer: broken },
    ],
    steps: [
      create('one'),
      create('one'),
      { method: 'PUT', path: 'configmaps/one', body: map('one', { data: { a: '1' } }) },
      { method: 'DELETE', path: 'configmaps/one' },
      create('two'),
      create('three'),
      { method: 'DELETE', path: 'configmaps?fieldSelector=metadata.name!=kube-root-ca.crt' },
    ],
  },
];

export const annotatingWebhooks: readonly WebhookCase[] = [...keys, ...patches, ...failures];
