import type { JsonObject } from '../../../src/api/json/json.ts';
import {
  allowed,
  type CaseStep,
  create,
  map,
  mutating,
  patchOf,
  rules,
  setData,
  validating,
  type WebhookCase,
  stringValue,
  mergePatch,
} from '../case-parts.ts';
import type { HookResponse, Review } from '../hook-server.ts';

/** An answer with another envelope. */
const enveloped =
  (envelope: JsonObject, response: JsonObject = {}) =>
  ({ kind, apiVersion, request: { uid } }: Review): HookResponse => ({
    body: { kind, apiVersion, ...envelope, response: { uid, allowed: true, ...response } },
  });
const beta: JsonObject = { admissionReviewVersions: ['v1beta1'] };
const patch = Buffer.from(JSON.stringify([setData('b', '2')])).toString('base64');

/** Versions of reviews, and answers of other versions and kinds. */
const envelopes: readonly WebhookCase[] = [
  ...(['v1', 'v1beta1'] as const).flatMap((version) => {
    const fields = { admissionReviewVersions: [version] };
    return [
      validating(`${version}: answered in v1`, enveloped({ apiVersion: 'admission.k8s.io/v1' }), fields),
      validating(`${version}: answered in v1beta1`, enveloped({ apiVersion: 'admission.k8s.io/v1beta1' }), fields),
      validating(`${version}: answered in v2`, enveloped({ apiVersion: 'admission.k8s.io/v2' }), fields),
      validating(`${version}: answered without a group`, enveloped({ apiVersion: 'v1' }), fields),
      validating(`${version}: answered in an odd version`, enveloped({ apiVersion: 'a/b/c' }), fields),
      validating(`${version}: answered as a list`, enveloped({ kind: 'AdmissionReviewList' }), fields),
      validating(`${version}: answered as something else`, enveloped({ kind: 'SubjectAccessReview' }), fields),
      validating(
        `${version}: answered as a Pod`,
        { body: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'one' } } },
        fields,
      ),
      validating(
        `${version}: a Status of success`,
        { body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } },
        fields,
      ),
      validating(
        `${version}: a Status of failure with the code 200`,
        { body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'hidden', reason: 'Gone', code: 410 } },
        fields,
      ),
      validating(
        `${version}: another uid`,
        ({ request: { uid } }) => ({
          body: {
            kind: 'AdmissionReview',
            apiVersion: `admission.k8s.io/${version}`,
            response: { uid: `x${uid}`, allowed: true },
          },
        }),
        fields,
      ),
      validating(`${version}: no uid`, enveloped({}, { uid: null }), fields),
      validating(
        `${version}: the request is sent back`,
        (review) => ({
          body: { ...review, response: { uid: review.request.uid, allowed: true } },
        }),
        fields,
      ),
      validating(
        `${version}: denied with a list of causes`,
        {
          response: {
            allowed: false,
            status: {
              message: 'two',
              reason: 'Invalid',
              code: 422,
              details: {
                group: 'g',
                kind: 'k',
                name: 'n',
                uid: 'u',
                retryAfterSeconds: 3,
                causes: [{ reason: 'FieldValueRequired', message: 'a', field: 'x' }, { message: 'b' }],
              },
              metadata: { resourceVersion: '7', continue: 'c', remainingItemCount: 5 },
            },
          },
        },
        fields,
      ),
    ];
  }),
  mutating('v1beta1: a patch without its type', { response: { allowed: true, patch } }, beta),
  mutating('v1beta1: another type of patch', { response: { allowed: true, patch, patchType: 'MergePatch' } }, beta),
  mutating('v1beta1: a type without its patch', { response: { allowed: true, patchType: 'JSONPatch' } }, beta),
  mutating('v1beta1: a patch and a denial', { response: { allowed: false, patch, patchType: 'JSONPatch' } }, beta),
  validating('v1beta1: a patch of a validating webhook', { response: { allowed: true, patch } }, beta),
  mutating('a patch and a denial', { response: { allowed: false, patch, patchType: 'JSONPatch' } }),
  mutating('a patch that is null', { response: { allowed: true, patch: null, patchType: null } }),
  mutating('a patch that is an empty text', { response: { allowed: true, patch: '', patchType: 'JSONPatch' } }),
  mutating('a patch in Base64 of URLs', { response: { allowed: true, patch: 'W10-_w', patchType: 'JSONPatch' } }),
  mutating('a patch with line feeds', {
    response: { allowed: true, patch: `${patch.slice(0, 8)}\n${patch.slice(8)}`, patchType: 'JSONPatch' },
  }),
];

const warned = (name: string, ...warnings: readonly string[]): WebhookCase =>
  validating(`warnings: ${name}`, { response: { allowed: true, warnings: [...warnings] } });

/** Warnings: their number, lengths and characters. */
const warnings: readonly WebhookCase[] = [
  warned('thirty of 100 characters', ...Array.from({ length: 30 }, (_, index) => `${index} `.padEnd(100, 'x'))),
  warned('twenty of 256 characters', ...Array.from({ length: 20 }, (_, index) => `${index} `.padEnd(256, 'x'))),
  warned('one of 256', 'w'.repeat(256)),
  warned('one of 257', 'w'.repeat(257)),
  warned('one of 5000', 'w'.repeat(5_000)),
  warned('a short one, a long one and a short one', 'first', 'w'.repeat(5_000), 'last'),
  warned('long ones that fill the header', ...Array.from({ length: 5 }, (_, index) => `${index} `.padEnd(1_500, 'x'))),
  warned('long in bytes, not in characters', '\u00E9'.repeat(200)),
  warned('cut within a character', `${'x'.repeat(255)}\u20AC${'y'.repeat(4_000)}`, 'second'),
  warned('the same twice', 'same', 'same', 'other', 'same'),
  warned('quotes and backslashes', String.raw`a "b" \c\\"`),
  warned('controls', 'a\tb\u0001c\u007Fd\u0085e'),
  warned('line ends', '\n\nfirst\r\nsecond\n'),
  warned('emoji', 'careful \u{1F600}'),
  warned('only white space', ' \t '),
  warned('a code and an agent', '299 - "looks like a header"'),
  {
    name: 'warnings: of several webhooks, one of which says no',
    hooks: [
      { type: 'mutating', answer: { response: { allowed: true, warnings: ['of a mutating one'] } } },
      { type: 'mutating', answer: { response: { ...patchOfB(), warnings: ['of another', 'of a mutating one'] } } },
      { type: 'validating', answer: { response: { allowed: false, warnings: ['of a denial'] } } },
    ],
    steps: [create('one', { data: { a: '1' } })],
  },
  {
    name: 'warnings: of each verb',
    hooks: [
      {
        type: 'validating',
        answer: ({ request }) => ({
          response: { allowed: true, warnings: [`this is a ${stringValue(request['operation'])}`] },
        }),
      },
    ],
    steps: [
      create('one'),
      { method: 'PUT', path: 'configmaps/one', body: map('one', { data: { a: '1' } }) },
      { method: 'DELETE', path: 'configmaps/one' },
      create('two'),
      create('three'),
      { method: 'DELETE', path: 'configmaps' },
    ],
  },
  {
    name: 'warnings: of an answer that is invalid',
    hooks: [
      {
        type: 'validating',
        fields: { failurePolicy: 'Ignore' },
        answer: { response: { allowed: true, uid: 'other', warnings: ['lost'] } },
      },
      {
        type: 'mutating',
        fields: { failurePolicy: 'Ignore' },
        answer: { response: { allowed: true, patchType: 'JSONPatch', patch: 'eA==', warnings: ['kept'] } },
      },
    ],
    steps: [create('one')],
  },
];

function patchOfB(): JsonObject {
  return { allowed: true, patch, patchType: 'JSONPatch' };
}

const everything = rules(['*/*'], { scope: 'Namespaced' });
const watched = { hooks: [{ type: 'validating' as const, fields: everything, answer: allowed }] };
const options = (name: string, ...steps: CaseStep[]): WebhookCase => ({ name: `options: ${name}`, ...watched, steps });

/** What reviews say of the options and the user of a request. */
const requests: readonly WebhookCase[] = [
  options(
    'of a creation',
    { ...create('one'), path: 'configmaps?fieldManager=me&fieldValidation=Strict&dryRun=All&pretty=true' },
    { ...create('one'), path: 'configmaps?fieldValidation=Ignore' },
    {
      method: 'POST',
      path: 'configmaps',
      contentType: 'application/yaml',
      body: map('two', { data: { a: '1' } }),
    },
  ),
  options(
    'of updates',
    create('one'),
    {
      method: 'PUT',
      path: 'configmaps/one?fieldManager=me&dryRun=All',
      body: map('one', { data: { a: '1' } }),
    },
    { method: 'PATCH', path: 'configmaps/one?fieldManager=you', contentType: mergePatch, body: { data: { b: '1' } } },
    {
      method: 'PATCH',
      path: 'configmaps/one?fieldManager=me&force=true&fieldValidation=Warn',
      contentType: 'application/apply-patch+yaml',
      body: map('one', { data: { c: '1' } }),
    },
    {
      method: 'PATCH',
      path: 'configmaps/one?fieldManager=me&force=false',
      contentType: 'application/strategic-merge-patch+json',
      body: { data: { d: '1' } },
    },
    { method: 'PATCH', path: 'configmaps/one', contentType: mergePatch, body: {} },
  ),
  options(
    'of deletions',
    ...['one', 'two', 'three', 'four'].map((name) => create(name)),
    { method: 'DELETE', path: 'configmaps/one?dryRun=All&propagationPolicy=Foreground' },
    { method: 'DELETE', path: 'configmaps/one?gracePeriodSeconds=3&orphanDependents=false' },
    {
      method: 'DELETE',
      path: 'configmaps/two?gracePeriodSeconds=3',
      body: {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: 'Background',
        dryRun: ['All'],
        preconditions: { uid: 'other' },
      },
    },
    {
      method: 'DELETE',
      path: 'configmaps/two',
      body: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', propagationPolicy: 'Background' },
    },
    { method: 'DELETE', path: 'configmaps/nothing' },
  ),
  options(
    'of the deletion of a collection',
    ...['one', 'two'].map((name) => create(name, { metadata: { name, labels: { name } } })),
    { method: 'DELETE', path: 'configmaps?labelSelector=name%3Done&dryRun=All' },
    {
      method: 'DELETE',
      path: 'configmaps?labelSelector=name%3Done',
      body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 },
    },
    { method: 'DELETE', path: 'configmaps?labelSelector=name%3Dnone' },
  ),
  options('of another user', {
    ...create('one'),
    headers: {
      'impersonate-user': 'ann',
      'impersonate-uid': 'u-1',
      'impersonate-group': 'system:masters',
      'impersonate-extra-scopes.example.com%2fa': 'x',
      'impersonate-extra-b': 'y',
    },
  }),
  options(
    'of an object that is not there, or is there already',
    create('one'),
    create('one'),
    { method: 'PUT', path: 'configmaps/nothing', body: map('nothing') },
    { method: 'PUT', path: 'configmaps/one', body: map('one', { metadata: { name: 'one', resourceVersion: '1' } }) },
    { method: 'PATCH', path: 'configmaps/nothing', contentType: mergePatch, body: { data: {} } },
    create('bad name'),
    { method: 'POST', path: 'configmaps', body: map('one', { metadata: { name: 'x', namespace: 'other' } }) },
    { method: 'POST', path: '/api/v1/namespaces/no-such-case/configmaps', body: map('one') },
  ),
  options(
    'of names that are generated',
    create('', { metadata: { generateName: 'made-', labels: { a: 'b' } } }),
    create('one', { metadata: { generateName: 'made-', name: 'one' } }),
  ),
  options(
    'of what has finalizers',
    create('one', { metadata: { name: 'one', finalizers: ['example.com/a'] } }),
    { method: 'DELETE', path: 'configmaps/one' },
    { method: 'DELETE', path: 'configmaps/one' },
    { method: 'PATCH', path: 'configmaps/one', contentType: mergePatch, body: { metadata: { finalizers: null } } },
  ),
];

const renamed = { op: 'add', path: '/metadata/name', value: 'chosen' };

/** Names that webhooks choose. */
const names: readonly WebhookCase[] = [
  ['a name in place of a generated one', [renamed]],
  ['no name and none to generate', [{ op: 'remove', path: '/metadata/generateName' }]],
  ['another beginning', [{ op: 'replace', path: '/metadata/generateName', value: 'still-made-' }]],
  ['an empty name', [{ op: 'add', path: '/metadata/name', value: '' }]],
].map(([name, operations]) => ({
  name: `names: ${stringValue(name)}`,
  hooks: [{ type: 'mutating' as const, answer: patchOf(...(operations as JsonObject[])) }],
  steps: [create('', { metadata: { generateName: 'made-' } })],
}));

export const reviewCases: readonly WebhookCase[] = [...envelopes, ...warnings, ...requests, ...names];
