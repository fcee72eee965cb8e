import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JsonObject } from '../../src/api/json/json.ts';
import { keyId } from '../../src/authentication/service-account/keys.ts';
import { signedToken } from '../signed-token.ts';

export const issuer = 'https://kubernetes.default.svc';

/** Uids by `plural/name`: they differ between servers. */
export type Uids = ReadonlyMap<string, string>;

const now = Math.floor(Date.now() / 1_000);
const legacy = 'kubernetes.io/serviceaccount/';

function claims(uids: Uids, more: JsonObject = {}, bound: JsonObject = {}): JsonObject {
  const account = { name: 'sa', uid: uids.get('serviceaccounts/sa') ?? '' };
  return {
    aud: [issuer],
    exp: now + 3_600,
    iat: now,
    nbf: now,
    iss: issuer,
    jti: 'j1',
    sub: 'system:serviceaccount:team:sa',
    'kubernetes.io': { namespace: 'team', serviceaccount: account, ...bound },
    ...more,
  };
}

function legacyClaims(uids: Uids, secret: string, more: JsonObject = {}): JsonObject {
  return {
    iss: 'kubernetes/serviceaccount',
    sub: 'system:serviceaccount:team:sa',
    [`${legacy}namespace`]: 'team',
    [`${legacy}secret.name`]: secret,
    [`${legacy}service-account.name`]: 'sa',
    [`${legacy}service-account.uid`]: uids.get('serviceaccounts/sa') ?? '',
    ...more,
  };
}

function without(name: string, all: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens that are bound to webhooks. */
function webhookCases(key: KeyObject, kid: string): readonly (readonly [string, (uids: Uids) => string])[] {
  const attestations = { admissionReviewAPIGroups: ['apps', 'batch'] };
  const bound = (of: (uids: Uids) => JsonObject) => (uids: Uids) => signedToken(claims(uids, {}, of(uids)), key, kid);
  const to = (sort: string, name: string, uid?: string) => (uids: Uids) => {
    const claim = `${sort}webhookconfiguration`;
    return { [claim]: { name, uid: uid ?? uids.get(`${claim}s/${name}`) ?? '' } };
  };
  const reviewed = (of: (uids: Uids) => JsonObject) => bound((uids) => ({ ...of(uids), attestations }));
  return [
    ['validating webhook', reviewed(to('validating', 'vwh'))],
    ['mutating webhook', reviewed(to('mutating', 'mwh'))],
    ['no such webhook', reviewed(to('mutating', 'gone'))],
    ['other uid of the webhook', reviewed(to('mutating', 'mwh', 'x'))],
    ['webhook without groups', bound(to('validating', 'vwh'))],
    ['groups without a webhook', reviewed(() => ({}))],
  ];
}

/** Tokens, good ones and others, made for a server by its uids. */
export function tokenCases(key: KeyObject): ReadonlyMap<string, (uids: Uids) => string> {
  const publicKey = createPublicKey(key);
  const kid = keyId(publicKey);
  const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const otherEc = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  const signed =
    (more: JsonObject, bound: JsonObject = {}) =>
    (uids: Uids) =>
      signedToken(claims(uids, more, bound), key, kid);
  const boundTo = (kind: string, name: string, uid?: string) => (uids: Uids) =>
    signedToken(claims(uids, {}, { [kind]: { name, uid: uid ?? uids.get(`${kind}s/${name}`) ?? '' } }), key, kid);
  return new Map<string, (uids: Uids) => string>([
    ['good', signed({})],
    ['no key id', (uids) => signedToken(claims(uids), key, '')],
    ['unknown key id', (uids) => signedToken(claims(uids), key, 'zz')],
    ['other key under our id', (uids) => signedToken(claims(uids), otherRsa, kid)],
    ['key of another kind', (uids) => signedToken(claims(uids), otherEc, kid)],
    ['expired', signed({ exp: now - 90 })],
    ['expired within the leeway', signed({ exp: now - 20 })],
    ['not yet valid', signed({ nbf: now + 300 })],
    ['issued in the future', signed({ iat: now + 300 })],
    ['expiry of text', signed({ exp: 'x' })],
    ['no expiry', (uids) => signedToken(without('exp', claims(uids)), key, kid)],
    ['other audiences', signed({ aud: ['x', 'y'] })],
    ['audiences twice', signed({ aud: ['z', 'x', 'x', issuer] })],
    ['audience of text', signed({ aud: issuer })],
    ['no audience', (uids) => signedToken(without('aud', claims(uids)), key, kid)],
    ['other issuer', signed({ iss: 'https://x' })],
    ['other uid of the account', signed({}, { serviceaccount: { name: 'sa', uid: 'x' } })],
    ['no such account', signed({}, { serviceaccount: { name: 'gone', uid: 'x' } })],
    ['pod', boundTo('pod', 'p1')],
    ['other uid of the pod', boundTo('pod', 'p1', 'x')],
    ['no such pod', boundTo('pod', 'gone')],
    ['secret', boundTo('secret', 'kept')],
    ['other uid of the secret', boundTo('secret', 'kept', 'x')],
    ['no such secret', boundTo('secret', 'gone')],
    ['node', boundTo('node', 'n1')],
    ['other uid of the node', boundTo('node', 'n1', 'x')],
    ['no such node', boundTo('node', 'gone')],
    ...webhookCases(key, kid),
    [
      'tampered',
      (uids) => {
        const [head, , signature] = signedToken(claims(uids), key, kid).split('.');
        return `${head}.${part(claims(uids, { sub: 'x' }))}.${signature}`;
      },
    ],
    ['alg none', (uids) => `${part({ alg: 'none' })}.${part(claims(uids))}.`],
    [
      'public key as a secret',
      (uids) => {
        const text = `${part({ alg: 'HS256', kid })}.${part(claims(uids))}`;
        const secret = publicKey.export({ type: 'spki', format: 'pem' });
        return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      },
    ],
    ['no token', () => 'a.b.c'],
    ['plain text', () => 'hello'],
    ['static token', () => 'tok-ann'],
    ['legacy, no such secret', (uids) => signedToken(legacyClaims(uids, 'gone'), key, kid)],
    ['legacy, other copy', (uids) => signedToken(legacyClaims(uids, 'kept'), key, kid)],
    ['legacy, nothing', () => signedToken({ iss: 'kubernetes/serviceaccount', sub: 'x' }, key, kid)],
    [
      'legacy, other subject',
      (uids) => signedToken(legacyClaims(uids, 'kept', { sub: 'system:serviceaccount:x:sa' }), key, kid),
    ],
  ]);
}

const pod = (name: string): object => ({ kind: 'Pod', apiVersion: 'v1', name });

/** Specs of token requests. */
export const tokenSpecs: readonly object[] = [
  {},
  { audiences: ['a', 'b'] },
  { expirationSeconds: 599 },
  { expirationSeconds: 600 },
  { expirationSeconds: 2 ** 32 + 1 },
  { expirationSeconds: 3607, boundObjectRef: pod('p1') },
  { expirationSeconds: 3607, audiences: ['x'], boundObjectRef: pod('p1') },
  { boundObjectRef: pod('p2') },
  { boundObjectRef: pod('p3') },
  { boundObjectRef: pod('gone') },
  { boundObjectRef: { ...pod('p1'), uid: 'bad' } },
  { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'kept' } },
  { boundObjectRef: { kind: 'Secret', apiVersion: 'v1' } },
  { boundObjectRef: { kind: 'Pod', apiVersion: 'v1' } },
  { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: '' } },
  { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'n1' } },
  { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'gone' } },
  { boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'x' } },
  { boundObjectRef: { kind: 'Foo', apiVersion: '', name: 'x' } },
  { boundObjectRef: {} },
  { attestations: { a: ['b'] } },
  ...webhookSpecs(),
];

/** What tokens that are bound to webhooks may say, and where they may be used. */
function webhookSpecs(): readonly object[] {
  const webhook = (kind: string, name: string): object => ({
    kind: `${kind}WebhookConfiguration`,
    apiVersion: 'admissionregistration.k8s.io/v1',
    name,
  });
  const [validating, mutating] = [webhook('Validating', 'vwh'), webhook('Mutating', 'mwh')];
  const url = ['https://hook.example.com/v'];
  const groups = (...names: readonly string[]): object => ({ attestations: { admissionReviewAPIGroups: names } });
  return [
    { boundObjectRef: validating, audiences: url, ...groups('apps') },
    { boundObjectRef: validating, audiences: url, ...groups('apps'), expirationSeconds: 600 },
    { boundObjectRef: mutating, audiences: ['https://hook.team.svc:443/m'], ...groups('apps') },
    { boundObjectRef: mutating, audiences: ['https://hook.team.svc:443/m/'], ...groups('apps') },
    { boundObjectRef: mutating, audiences: ['https://elsewhere'], ...groups('*') },
    { boundObjectRef: validating, audiences: url, ...groups('batch') },
    { boundObjectRef: validating, audiences: url, ...groups('policy') },
    { boundObjectRef: validating, audiences: ['https://hook.example.com/none'], ...groups('apps') },
    { boundObjectRef: validating, audiences: [issuer], ...groups('apps') },
    { boundObjectRef: validating, audiences: [], ...groups('apps') },
    { boundObjectRef: validating, audiences: [...url, 'x'], ...groups('apps') },
    { boundObjectRef: { ...validating, uid: 'bad' }, audiences: url, ...groups('apps') },
    { boundObjectRef: webhook('Validating', 'gone'), audiences: url, ...groups('apps') },
    { boundObjectRef: webhook('Other', 'vwh'), audiences: url },
    { boundObjectRef: validating, audiences: url },
    { boundObjectRef: validating, audiences: url, attestations: { a: ['b'] } },
    { boundObjectRef: validating, audiences: url, ...groups() },
    { boundObjectRef: validating, audiences: url, ...groups('apps', 'batch') },
    { boundObjectRef: validating, audiences: url, ...groups('') },
    { boundObjectRef: validating, audiences: url, ...groups('No_group') },
  ];
}

export const tokenMetadata: readonly object[] = [
  { name: 'sa' },
  { name: 'x' },
  { namespace: 'x' },
  { namespace: 'team' },
  { uid: 'x' },
  { name: 'sa', labels: { a: 'b' } },
];
