import { pod, places } from '../objects.ts';
import { script, type Step } from '../script.ts';
import { forEach, get, inNamespace, post, protobufType, put, remove } from '../steps.ts';

const space = 'tokens';
const accounts = `/api/v1/namespaces/${space}/serviceaccounts`;
const tokens = `${accounts}/a/token`;
const request = (spec: unknown, more: object = {}): object => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenRequest',
  ...more,
  spec,
});
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const bound = (kind: string, name: string, more: object = {}): object => ({
  boundObjectRef: { apiVersion: 'v1', kind, name, ...more },
});

const specs: { readonly [name: string]: unknown } = {
  nothing: {},
  'no spec': undefined,
  null: null,
  'an audience': { audiences: ['x'] },
  'two audiences': { audiences: ['x', 'https://kubernetes.default.svc'] },
  'an empty audience': { audiences: [''] },
  'ten minutes': { expirationSeconds: 600 },
  'nine minutes': { expirationSeconds: 599 },
  'no time': { expirationSeconds: 0 },
  negative: { expirationSeconds: -1 },
  'too long': { expirationSeconds: 4_294_967_297 },
  'a year': { expirationSeconds: 31_536_000 },
  'a text': { expirationSeconds: 'x' },
  'a pod': bound('Pod', 'p'),
  'a pod with a uid': bound('Pod', 'p', { uid: '{{a pod of the account|metadata.uid}}' }),
  'another uid': bound('Pod', 'p', { uid: '00000000-0000-4000-8000-000000000000' }),
  'no pod': bound('Pod', 'zz'),
  'a pod of another account': bound('Pod', 'q'),
  'a secret': bound('Secret', 's'),
  'no secret': bound('Secret', 'zz'),
  'a config map': bound('ConfigMap', 'c'),
  'a node': bound('Node', 'n'),
  'a version of a pod': { boundObjectRef: { apiVersion: 'v2', kind: 'Pod', name: 'p' } },
  'no name': { boundObjectRef: { apiVersion: 'v1', kind: 'Pod' } },
  'unknown fields': { nope: 1 },
};

function asAccount(name: string, from: string): readonly Step[] {
  const headers = { authorization: `Bearer {{${from}|status.token}}` };
  return [
    post(
      `${name}: who am I`,
      whoami,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      { as: 'nobody', headers },
    ),
    get(`${name}: get pods`, places.pods(space), { as: 'nobody', headers }),
    get(`${name}: version`, '/apis/apps', { as: 'nobody', headers: { ...headers } }),
    post(`${name}: review`, reviews, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: `{{${from}|status.token}}` },
    }),
    post(`${name}: review for an audience`, reviews, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: `{{${from}|status.token}}`, audiences: ['x', 'z'] },
    }),
  ];
}

/** Reports: tokens for accounts, what they are bound to, and what reviews say of them. */
export const tokenRequests = script(
  'token-requests',
  inNamespace(space),
  post('an account', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }),
  post('another account', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'b' } }),
  post('a pod of the account', places.pods(space), pod('p', {}, { serviceAccountName: 'a' })),
  post('a pod of the other', places.pods(space), pod('q', {}, { serviceAccountName: 'b' })),
  post('a secret', places.secrets(space), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }),
  forEach(specs, (spec, name) => post(`request: ${name}`, tokens, request(spec))),
  forEach(specs, (spec, name) => post(`as a dry run: ${name}`, `${tokens}?dryRun=All`, request(spec))),
  post('of another kind', tokens, request({}, { kind: 'TokenReview' })),
  post('of no kind', tokens, { spec: {} }),
  post('with a name', tokens, request({}, { metadata: { name: 'a', namespace: space } })),
  post('with another name', tokens, request({}, { metadata: { name: 'b' } })),
  post('with another namespace', tokens, request({}, { metadata: { namespace: 'default' } })),
  post('with a status', tokens, request({}, { status: { token: 'x', expirationTimestamp: '2001-01-01T00:00:00Z' } })),
  post('for protobuf', tokens, request({}), { accept: protobufType, form: 'protobuf' }),
  post('in YAML', tokens, request({}), { accept: 'application/yaml', form: 'yaml' }),
  post('of no account', `${accounts}/zz/token`, request({})),
  post('unknown fields, strict', `${tokens}?fieldValidation=Strict`, request({ nope: 1 })),
  get('get', tokens),
  put('put', tokens, request({})),
  remove('delete', tokens),
  asAccount('plain', 'request: nothing'),
  asAccount('of an audience', 'request: an audience'),
  asAccount('of a pod', 'request: a pod'),
  remove('delete the pod', `${places.pods(space)}/p?gracePeriodSeconds=0`, undefined, { settles: true }),
  asAccount('of a deleted pod', 'request: a pod'),
  remove('delete the account', `${accounts}/a`, undefined, { settles: true }),
  asAccount('of a deleted account', 'request: nothing'),
  forEach(
    { empty: '', word: 'x', 'three words': 'a.b.c', 'a changed one': '{{request: nothing|status.token}}x' },
    (token, name) => [
      post(`review of ${name}`, reviews, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token },
      }),
      get(`with ${name}`, places.pods(space), { as: 'nobody', headers: { authorization: `Bearer ${token}` } }),
    ],
  ),
);
