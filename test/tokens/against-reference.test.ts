import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { configDefaults } from '../../src/server/config.ts';
import { TokenClient, type TokenRequest } from '../authorization/token-client.ts';
import { ApiClient } from '../api-client.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { skipWithoutReference, startReference } from '../reference-server.ts';
import { startTestServer } from '../server-fixture.ts';
import { issuer, tokenCases, tokenMetadata, tokenSpecs, type Uids } from './cases.ts';

const root = 'tok-root';
const gate = 'APIServerWebhookAuthenticationToken';
const opened = new AsyncDisposableStack();
let reference: TokenClient;
let binnacle: TokenClient;
let theirUids: Uids;
let ourUids: Uids;
let keyFile: string;

/** Both servers sign with the same key. */
describe.skipIf(skipWithoutReference())('service account tokens match those of kube-apiserver', () => {
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-tokens-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const tokenAuthFile = join(folder, 'tokens.csv');
    writeFileSync(tokenAuthFile, 'tok-ann,ann,u1\ntok-root,root,u4,"system:masters"\n');
    const etcd = opened.use(await EtcdProcess.start());
    const theirs = opened.use(
      await startReference(etcd.url, [`--token-auth-file=${tokenAuthFile}`, `--feature-gates=${gate}=true`]),
    );
    keyFile = theirs.accountKeyFile;
    const { authentication: usual } = configDefaults;
    const serviceAccounts = { ...usual.serviceAccounts, issuers: [issuer], signingKeyFile: keyFile };
    const authorization = { ...configDefaults.authorization, modes: ['RBAC'] } as const;
    const api = { ...configDefaults.api, featureGates: new Map([[gate, true]]) };
    const config = { api, authentication: { ...usual, tokenAuthFile, serviceAccounts }, authorization };
    const ours = opened.use(await startTestServer({}, { inMemory: true }, { config: { ...config, controllers: [] } }));
    reference = opened.use(new TokenClient(theirs.url));
    binnacle = opened.use(new TokenClient(ours.url));
    theirUids = await makeObjects(reference);
    ourUids = await makeObjects(binnacle);
  }, 120_000);

  afterAll(() => opened.disposeAsync());

  test.each(tokenSpecs)('requested with %j', (spec) => compareRequests({ spec }));

  test.each(tokenMetadata)('requested with the metadata %j', (metadata) => compareRequests({ metadata, spec: {} }));

  test('requested for a missing account', () => compareRequests({ spec: {} }, 'gone'));

  test('every sort of token is accepted or refused', { timeout: 60_000 }, async () => {
    const cases = tokenCases(createPrivateKey(readFileSync(keyFile)));
    expect(cases.size).toBeGreaterThan(30);
    for (const [name, make] of cases) {
      for (const audiences of [undefined, ['x'], [issuer, 'z']]) {
        const [theirs, ours] = [
          await reviewed(reference, make(theirUids), audiences),
          await reviewed(binnacle, make(ourUids), audiences),
        ];
        expect.soft(stable(ours), `${name} for ${String(audiences)}`).toEqual(stable(theirs));
      }
    }
  });

  test('the keys are published', async () => {
    const ask = { method: 'GET', path: '/openid/v1/jwks', token: root };
    expect(await binnacle.send(ask)).toEqual(await reference.send(ask));
    const configuration = { ...ask, path: '/.well-known/openid-configuration' };
    const [ours, theirs] = [await binnacle.send(configuration), await reference.send(configuration)];
    expect(ours).toMatchObject({
      code: 200,
      body: { ...(theirs.body as JsonObject), jwks_uri: expect.any(String) as string },
    });
  });
});

test('a server without flags generates a key, and accepts its tokens after a restart', async () => {
  await using server = await startTestServer();
  const admin = await ApiClient.connect(server);
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await admin.send('POST', accounts, { body: { metadata: { name: 'sa' } } });
  const { body } = await admin.send('POST', `${accounts}/sa/token`, { body: { spec: {} } });
  admin[Symbol.dispose]();
  await server.restart();
  using client = new TokenClient(server.url);
  const { token } = body['status'] as { readonly token: string };
  const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' };
  const whoami = { method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', token, body: review };
  expect(await client.send(whoami)).toMatchObject({
    code: 201,
    body: { status: { userInfo: { username: 'system:serviceaccount:default:sa' } } },
  });
});

const webhook = {
  name: 'w.example.com',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [{ apiGroups: ['apps', 'batch'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
};
const attest = { name: 'attest' };

const objects: readonly (readonly [path: string, body: JsonObject])[] = [
  ['/api/v1/namespaces', { metadata: { name: 'team' } }],
  ['/api/v1/namespaces/team/serviceaccounts', { metadata: { name: 'sa' } }],
  ['/api/v1/namespaces/team/serviceaccounts', { metadata: { name: 'other' } }],
  ['/api/v1/nodes', { metadata: { name: 'n1' } }],
  ['/api/v1/namespaces/team/secrets', { metadata: { name: 'kept' } }],
  [
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    {
      metadata: { name: 'vwh' },
      webhooks: [
        { ...webhook, clientConfig: { url: 'https://hook.example.com/v' } },
        { ...webhook, name: 'x.example.com', rules: [], clientConfig: { url: 'https://hook.example.com/none' } },
      ],
    },
  ],
  [
    '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    {
      metadata: { name: 'mwh' },
      webhooks: [{ ...webhook, clientConfig: { service: { namespace: 'team', name: 'hook', path: '/m' } } }],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    {
      metadata: attest,
      rules: [
        {
          verbs: ['attest'],
          apiGroups: ['authentication.k8s.io'],
          resources: ['admissionReviewAPIGroups'],
          resourceNames: ['apps', 'policy', '*'],
        },
      ],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    {
      metadata: attest,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'attest' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'team', name: 'sa' }],
    },
  ],
  ['/api/v1/namespaces/team/pods', podOf('p1', {})],
  ['/api/v1/namespaces/team/pods', podOf('p2', { nodeName: 'n1' })],
  ['/api/v1/namespaces/team/pods', podOf('p3', { nodeName: 'gone', serviceAccountName: 'other' })],
];

function podOf(name: string, spec: JsonObject): JsonObject {
  const usual = {
    containers: [{ name: 'c', image: 'x' }],
    serviceAccountName: 'sa',
    automountServiceAccountToken: false,
  };
  return { metadata: { name }, spec: { ...usual, ...spec } };
}

async function makeObjects(client: TokenClient): Promise<Uids> {
  const uids = new Map<string, string>();
  for (const [path, body] of objects) {
    const answer = await client.send({ method: 'POST', path, token: root, body });
    expect(answer.code, path).toBe(201);
    const { name, uid } = (answer.body as JsonObject)['metadata'] as { readonly name: string; readonly uid: string };
    uids.set(`${path.slice(path.lastIndexOf('/') + 1)}/${name}`, uid);
  }
  return uids;
}

async function compareRequests(body: object, account = 'sa'): Promise<void> {
  const path = `/api/v1/namespaces/team/serviceaccounts/${account}/token`;
  const request: TokenRequest = { method: 'POST', path, token: root, body };
  const [theirs, ours] = await Promise.all([reference.send(request), binnacle.send(request)]);
  expect(stable(opaque(ours.body as JsonObject))).toEqual(stable(opaque(theirs.body as JsonObject)));
}

/** Replaces the token by its claims, relative to its creation time. */
function opaque(answer: JsonObject): JsonObject {
  const { token } = (answer['status'] ?? {}) as { readonly token?: string };
  if (typeof token !== 'string') return answer;
  const [head = '', body = ''] = token.split('.');
  const read = (text: string): JsonObject => JSON.parse(Buffer.from(text, 'base64url').toString()) as JsonObject;
  const said = read(body) as JsonObject & { readonly exp: number; readonly iat: number; readonly nbf: number };
  const own = said['kubernetes.io'] as { readonly warnafter?: number };
  const after = own.warnafter === undefined ? {} : { warnafter: own.warnafter - said.iat };
  const relative = { ...said, exp: said.exp - said.iat, nbf: said.nbf - said.iat, iat: 0 };
  return { ...answer, status: { head: read(head), said: { ...relative, 'kubernetes.io': { ...own, ...after } } } };
}

async function reviewed(
  client: TokenClient,
  token: string,
  audiences: readonly string[] | undefined,
): Promise<unknown> {
  const kinds = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1' };
  const body = { ...kinds, spec: { token, ...(audiences === undefined ? {} : { audiences }) } };
  const path = '/apis/authentication.k8s.io/v1/tokenreviews';
  const review = await client.send({ method: 'POST', path, token: root, body });
  const version = await client.send({ method: 'GET', path: '/api', token });
  return { code: review.code, status: (review.body as JsonObject)['status'], used: version.code };
}

/** Without uids, times and owners. */
function stable(value: unknown): unknown {
  const text = JSON.stringify(value, (key, each: unknown) =>
    key === 'managedFields' || key === 'creationTimestamp' || key === 'expirationTimestamp' ? undefined : each,
  );
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')) as unknown;
}
