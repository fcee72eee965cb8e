import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { skipWithoutReference } from '../reference-server.ts';
import { compare, type Servers } from './comparison.ts';
import { binding, places, role } from './policy.ts';
import { bootstrapped, startServers } from './servers.ts';
import type { TokenResponse, TokenRequest } from './token-client.ts';

const tokens = 'tok-root,root,u0,"system:masters"\ntok-old,old,u1\ntok-new,new,u2\ntok-ann,ann,u3\ntok-pen,pen,u4\n';
const opened = new AsyncDisposableStack();

async function serversOf(modes: readonly string[]): Promise<Servers> {
  const authorization = { ...configDefaults.authorization, modes };
  const servers = await startServers(opened, {
    tokens,
    flags: [`--authorization-mode=${modes.join(',')}`],
    config: { authorization },
  });
  for (const client of [servers.reference, servers.binnacle]) await bootstrapped(client);
  return servers;
}

/** The answer that both servers give. */
async function answer(servers: Servers, asked: TokenRequest): Promise<TokenResponse> {
  await compare(servers, asked);
  return servers.binnacle.send(asked);
}

const roleBindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const get = (path: string, token = 'tok-root'): TokenRequest => ({ method: 'GET', path, token });

afterAll(() => opened.disposeAsync());

describe.skipIf(skipWithoutReference())('with RBAC, as with kube-apiserver,', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await serversOf(['RBAC']);
    for (const client of [servers.reference, servers.binnacle]) {
      for (const [path, body] of impersonators) await client.send({ method: 'POST', path, token: 'tok-root', body });
    }
  }, 120_000);

  test('HEAD is a verb of its own', async () => {
    const nobody = { token: '', headers: { authorization: 'Basic none' } };
    expect(await answer(servers, { ...get('/healthz'), ...nobody })).toMatchObject({ code: 200 });
    expect(await answer(servers, { ...get('/healthz'), ...nobody, method: 'HEAD' })).toMatchObject({ code: 403 });
  });

  test.each([
    ['old', ['system:authenticated']],
    ['new', ['system:nodes', 'system:authenticated']],
  ])('a node that %s impersonates is in %j', async (name, groups) => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const body = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' };
    const headers = { 'impersonate-user': 'system:node:n1' };
    const said = await answer(servers, { method: 'POST', path, token: `tok-${name}`, body, headers });
    expect(said).toMatchObject({ code: 201, body: { status: { userInfo: { username: 'system:node:n1', groups } } } });
  });

  test.each([
    ['root', true],
    ['ann', false],
  ])('selectors that cannot be parsed are an error beside the answer to %s', async (user, allowed) => {
    const apiVersion = 'authorization.k8s.io/v1';
    const selectors = { fieldSelector: { rawSelector: 'a=b,c' }, labelSelector: { rawSelector: 'a in (' } };
    const resourceAttributes = { verb: 'list', resource: 'pods', ...selectors };
    const groups = user === 'root' ? ['system:masters'] : [];
    const body = { kind: 'SubjectAccessReview', apiVersion, spec: { user, groups, resourceAttributes } };
    const path = `/apis/${apiVersion}/subjectaccessreviews`;
    const said = await answer(servers, { method: 'POST', path, token: 'tok-root', body });
    const evaluationError: unknown = expect.stringContaining('ignored due to parse error');
    expect(said).toMatchObject({ code: 201, body: { status: { allowed, evaluationError } } });
  });

  test.each([
    [400, places.clusterRoleBindings, { kind: 'Role', name: 'r' }],
    [400, places.clusterRoleBindings, { kind: 'ClusterRole', name: '' }],
    [400, roleBindings, { kind: 'Role', name: '' }],
    [500, roleBindings, { kind: 'Ship', name: 'r' }],
    [404, roleBindings, { kind: 'Role', name: 'r' }],
  ])('%d answers a binding to what is no role, in %s: %j', async (code, path, reference) => {
    const apiGroup = 'rbac.authorization.k8s.io';
    const body = { metadata: { name: 'b' }, roleRef: { apiGroup, ...reference } };
    expect(await answer(servers, { method: 'POST', path, token: 'tok-pen', body })).toMatchObject({ code });
  });

  test.each([roleBindings, places.clusterRoleBindings])('what a changed binding lacks in %s', async (path) => {
    const [apiGroup, token] = ['rbac.authorization.k8s.io', 'tok-root'];
    const binding = { metadata: { name: 'changed' }, roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' } };
    expect(await answer(servers, { method: 'POST', path, token, body: binding })).toMatchObject({ code: 409 });
    const subjects = [{ kind: 'User', apiGroup, name: '' }, { kind: 'Ship' }];
    const body = { ...binding, roleRef: { ...binding.roleRef, name: '' }, subjects };
    expect(await answer(servers, { method: 'PUT', path: `${path}/changed`, token, body })).toMatchObject({ code: 422 });
  });

  test.each(['admin', 'edit', 'view'])('%s is empty there and not here, where roles are aggregated', async (name) => {
    const call = get(`${places.clusterRoles}/${name}`);
    const [theirs, ours] = [await servers.reference.send(call), await servers.binnacle.send(call)];
    for (const { body } of [theirs, ours]) {
      expect(body).toMatchObject({ aggregationRule: { clusterRoleSelectors: [expect.anything()] } });
    }
    expect(rulesOf(theirs)).toBe(0);
    expect(rulesOf(ours)).toBeGreaterThan(0);
  });
});

function rulesOf({ body }: TokenResponse): number {
  return (body as { readonly rules?: readonly unknown[] | null }).rules?.length ?? 0;
}

describe.skipIf(skipWithoutReference())('with AlwaysDeny before RBAC, as with kube-apiserver,', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await serversOf(['AlwaysDeny', 'RBAC']);
  }, 120_000);

  test('what roles allow is allowed', async () => {
    expect(await answer(servers, get('/healthz', 'tok-ann'))).toMatchObject({ code: 200 });
    expect(await answer(servers, get('/api/v1/namespaces/default', 'tok-root'))).toMatchObject({ code: 200 });
  });

  test('everybody else is refused', async () => {
    expect(await answer(servers, get('/api/v1/namespaces/default', 'tok-ann'))).toMatchObject({ code: 403 });
  });
});

const authentication = 'authentication.k8s.io';
const impersonators: readonly (readonly [path: string, body: object])[] = [
  [
    places.clusterRoles,
    role('ClusterRole', 'old', [{ verbs: ['impersonate'], apiGroups: [''], resources: ['users'] }]),
  ],
  [
    places.clusterRoles,
    role('ClusterRole', 'new', [
      { verbs: ['impersonate:arbitrary-node'], apiGroups: [authentication], resources: ['nodes'] },
      {
        verbs: ['impersonate-on:arbitrary-node:create'],
        apiGroups: [authentication],
        resources: ['selfsubjectreviews'],
      },
    ]),
  ],
  [
    places.clusterRoles,
    role('ClusterRole', 'pen', [
      {
        verbs: ['create'],
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['rolebindings', 'clusterrolebindings'],
      },
    ]),
  ],
  ...['old', 'new', 'pen'].map((name) => {
    const user = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name };
    return [places.clusterRoleBindings, binding(name, `ClusterRole ${name}`, [user])] as const;
  }),
];
