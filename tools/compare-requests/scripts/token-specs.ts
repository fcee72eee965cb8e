import { places, pod } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { forEach, inNamespace, post, remove } from '../steps.ts';

const space = 'token-specs';
const accounts = `/api/v1/namespaces/${space}/serviceaccounts`;
const tokens = `${accounts}/a/token`;
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const request = (spec: unknown, more: object = {}): object => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  ...more,
  spec,
});

const audiences: { readonly [name: string]: unknown } = {
  none: [],
  null: null,
  one: ['x'],
  'the issuer': ['https://kubernetes.default.svc'],
  'the same twice': ['x', 'x'],
  'an empty one': [''],
  'an empty one among others': ['x', '', 'y'],
  'a null': [null],
  'a number': [1],
  'a text': 'x',
  'an object': [{}],
  blanks: [' x '],
  long: ['x'.repeat(5000)],
  many: Array.from({ length: 100 }, (_, at) => `a${at}`),
  'no ASCII': ['é', '日本', '\u0000'],
  'an address': ['https://x.example.com/?a=b&c=<d>'],
};
const expirations: readonly unknown[] = [
  600,
  601,
  599,
  3600,
  3607,
  86_400,
  31_536_000,
  4_294_967_297,
  9_223_372_036_854_775_000,
  0,
  -600,
  null,
  '600',
  600.5,
  6e2,
  true,
  [],
  {},
];
const uid = '{{a pod of the account|metadata.uid}}';
const references: { readonly [name: string]: unknown } = {
  null: null,
  nothing: {},
  'a text': 'p',
  'a list': [],
  'a pod': { kind: 'Pod', apiVersion: 'v1', name: 'p' },
  'a pod without a version': { kind: 'Pod', name: 'p' },
  'a pod of an empty version': { kind: 'Pod', apiVersion: '', name: 'p' },
  'a pod of core/v1': { kind: 'Pod', apiVersion: 'core/v1', name: 'p' },
  'a pod of apps/v1': { kind: 'Pod', apiVersion: 'apps/v1', name: 'p' },
  'a pod of a/b/c': { kind: 'Pod', apiVersion: 'a/b/c', name: 'p' },
  'a pod of v1beta1': { kind: 'Pod', apiVersion: 'v1beta1', name: 'p' },
  'pods in small letters': { kind: 'pod', apiVersion: 'v1', name: 'p' },
  'a plural': { kind: 'Pods', apiVersion: 'v1', name: 'p' },
  'a name in capitals': { kind: 'Pod', apiVersion: 'v1', name: 'P' },
  'a name with a slash': { kind: 'Pod', apiVersion: 'v1', name: 'a/b' },
  'a name of a parent': { kind: 'Pod', apiVersion: 'v1', name: '..' },
  'a long name': { kind: 'Pod', apiVersion: 'v1', name: 'p'.repeat(300) },
  'no name, but a uid': { kind: 'Pod', apiVersion: 'v1', uid },
  'its uid': { kind: 'Pod', apiVersion: 'v1', name: 'p', uid },
  'an empty uid': { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: '' },
  'another uid': { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: '00000000-0000-4000-8000-000000000000' },
  'a uid that is none': { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'x' },
  'a uid in capitals': { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: '00000000-0000-4000-8000-00000000000A' },
  'an unknown field': { kind: 'Pod', apiVersion: 'v1', name: 'p', namespace: space },
  'a pod of another account': { kind: 'Pod', apiVersion: 'v1', name: 'q' },
  'a pod that goes': { kind: 'Pod', apiVersion: 'v1', name: 'r' },
  'no pod': { kind: 'Pod', apiVersion: 'v1', name: 'zz' },
  'a secret': { kind: 'Secret', apiVersion: 'v1', name: 's' },
  'no secret': { kind: 'Secret', apiVersion: 'v1', name: 'zz' },
  'another uid of a secret': {
    kind: 'Secret',
    apiVersion: 'v1',
    name: 's',
    uid: '00000000-0000-4000-8000-000000000000',
  },
  'a node': { kind: 'Node', apiVersion: 'v1', name: 'token-specs' },
  'a node without a uid': { kind: 'Node', apiVersion: 'v1', name: 'token-specs', uid: '' },
  'another uid of a node': {
    kind: 'Node',
    apiVersion: 'v1',
    name: 'token-specs',
    uid: '00000000-0000-4000-8000-000000000000',
  },
  'no node': { kind: 'Node', apiVersion: 'v1', name: 'zz' },
  'a config map': { kind: 'ConfigMap', apiVersion: 'v1', name: 'c' },
  'an account': { kind: 'ServiceAccount', apiVersion: 'v1', name: 'a' },
  'a deployment': { kind: 'Deployment', apiVersion: 'apps/v1', name: 'd' },
  'a number': { kind: 'Pod', apiVersion: 'v1', name: 1 },
};
const metadatas: { readonly [name: string]: unknown } = {
  null: null,
  nothing: {},
  'its name': { name: 'a' },
  'another name': { name: 'b' },
  'a bad name': { name: 'A B' },
  'a generated name': { generateName: 'x-' },
  'its namespace': { namespace: space },
  'another namespace': { namespace: 'default' },
  'a uid': { uid: 'x' },
  labels: { labels: { a: 'b' } },
  'bad labels': { labels: { 'a b': 'c' } },
  'a version': { resourceVersion: '1' },
  'a finalizer': { finalizers: ['x'] },
  'a time': { creationTimestamp: '2001-01-01T00:00:00Z' },
  owners: { managedFields: [{ manager: 'x' }] },
};
const wholes: { readonly [name: string]: unknown } = {
  nothing: {},
  null: null,
  'a list': [],
  'a text': '"x"',
  'no JSON': '{',
  'no body': undefined,
  'an older version': request({}, { apiVersion: 'authentication.k8s.io/v1beta1' }),
  'another group': request({}, { apiVersion: 'v1' }),
  'an unknown kind': request({}, { kind: 'Nope' }),
  'no kind': { apiVersion: 'authentication.k8s.io/v1', spec: {} },
  'no version': { kind: 'TokenRequest', spec: {} },
  'an account': { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } },
  'unknown fields': request({ nope: 1 }, { nope: 2 }),
  'a spec that is a list': request([]),
  'a status that is a text': request({}, { status: 'x' }),
};

const ways: { readonly [name: string]: Partial<Step> } = {
  JSON: {},
  YAML: { form: 'yaml', accept: 'application/yaml' },
  CBOR: { form: 'cbor' },
};

const query = (parameters: string): string => `${tokens}?${parameters}`;
const reviewOf = (name: string, token: string, of: unknown): Step =>
  post(name, reviews, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token, audiences: of } });

/** Reports: requests for tokens that are refused, and tokens that others do not accept. */
export const tokenSpecs = script(
  space,
  inNamespace(space),
  post('an account', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }),
  post('another account', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'b' } }),
  post('a node', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: space } }),
  post('a pod of the account', places.pods(space), pod('p', {}, { serviceAccountName: 'a', nodeName: space })),
  post('a pod of the other', places.pods(space), pod('q', {}, { serviceAccountName: 'b' })),
  post(
    'a pod that is held',
    places.pods(space),
    pod('r', {}, { serviceAccountName: 'a' }, { finalizers: ['example.com/x'] }),
  ),
  remove('delete the pod that is held', `${places.pods(space)}/r`, undefined, { settles: true }),
  post('a secret', places.secrets(space), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }),
  forEach(audiences, (of, name) => post(`audiences: ${name}`, tokens, request({ audiences: of }))),
  forEach(audiences, (of, name) => [
    reviewOf(`review of audiences: ${name}`, `{{audiences: ${name}|status.token}}`, undefined),
    reviewOf(`review for these audiences: ${name}`, '{{audiences: none|status.token}}', of),
    reviewOf(`review of one for audiences: ${name}`, '{{audiences: one|status.token}}', of),
  ]),
  expirations.map((expirationSeconds) =>
    post(`expires: ${JSON.stringify(expirationSeconds)}`, tokens, request({ expirationSeconds })),
  ),
  forEach(references, (boundObjectRef, name) => [
    post(`bound: ${name}`, tokens, request({ boundObjectRef })),
    post(`bound, strictly: ${name}`, query('fieldValidation=Strict&dryRun=All'), request({ boundObjectRef })),
    reviewOf(`review of bound: ${name}`, `{{bound: ${name}|status.token}}`, undefined),
  ]),
  forEach(metadatas, (metadata, name) => post(`metadata: ${name}`, tokens, request({}, { metadata }))),
  forEach(wholes, (whole, name) => [
    post(`body: ${name}`, tokens, whole),
    post(`body, strictly: ${name}`, query('fieldValidation=Strict'), whole),
  ]),
  forEach(ways, (more, form) => [
    post(`in ${form}`, tokens, request({ audiences: ['x'], expirationSeconds: 601 }), more),
    post(`in ${form}, bound`, tokens, request({ boundObjectRef: references['a pod'] }), more),
  ]),
  [
    'dryRun=x',
    'fieldManager=x',
    `fieldManager=${'x'.repeat(129)}`,
    'fieldValidation=x',
    'pretty=true',
    'timeout=1s',
    'nope=1',
  ].map((parameters) => post(`with ${parameters}`, query(parameters), request({}))),
  ['A', '..', 'zz', 'a%2Fb', '%C3%A9'].map((name) =>
    post(`of account ${name}`, `${accounts}/${name}/token`, request({})),
  ),
);
