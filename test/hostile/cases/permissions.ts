import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, HostileRequest, Reply } from '../hostile-client.ts';
import { namespaced } from '../text-bodies.ts';
import { create } from './many-objects.ts';

const api = '/apis/rbac.authorization.k8s.io/v1';
const [roles, bindings] = [`${api}/clusterroles`, `${api}/clusterrolebindings`];
const requests = 5;

const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

function roleRequest(name: string, parts: object): HostileRequest {
  const metadata = { name, labels: { of: 'hostile' } };
  return { path: roles, body: JSON.stringify({ metadata, ...parts }) };
}

function bindingRequest(name: string, role: string, subjects: readonly object[]): HostileRequest {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role };
  return { path: bindings, body: JSON.stringify({ metadata: { name }, roleRef, subjects }) };
}

const user = (name: string): object => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });

/** Nobody but the administrator may do anything that roles do not allow. */
const configure = (): Promise<readonly string[]> => Promise.resolve(['--authorization-mode=Node,RBAC']);

/** What a user asks of whom nothing else is known. */
const reads = (name: string): HostileRequest => ({
  method: 'GET',
  path: `${namespaced('pods')}/nothing`,
  headers: { 'impersonate-user': name },
});
const rulesOf = (name: string): HostileRequest => ({
  path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
  headers: { 'impersonate-user': name },
  body: JSON.stringify({ spec: { namespace: 'default' } }),
});

async function severalTimes(client: HostileClient, request: HostileRequest): Promise<readonly Reply[]> {
  return Promise.all(many(requests, () => client.send(request)));
}

/** A role is created and bound to a user, who then asks for something. */
function roleCase(name: string, who: string, parts: () => object, asks = reads(who)): HostileCase {
  let body: HostileRequest | undefined;
  return {
    name: `permissions: ${name}`,
    bodyBytes: 3_000_000,
    configure,
    codes: [201, 403, 404, 409, 413, 422, 429],
    async prepare(client) {
      body ??= roleRequest(who, parts());
      await client.send({ method: 'DELETE', path: `${roles}/${who}` });
      await client.send(bindingRequest(who, who, [user(who)]));
    },
    async send(client) {
      const created = await client.send(body ?? reads(who));
      const replies = await severalTimes(client, asks);
      await client.send({ method: 'DELETE', path: `${roles}/${who}` });
      return [created, ...replies];
    },
  };
}

const names = (count: number): readonly string[] => many(count, (index) => `n${index}`);

const rules = (): object => ({
  rules: many(15_000, (index) => ({ verbs: ['get'], apiGroups: [''], resources: [`r${index}`] })),
});

const nothing = { verbs: [], apiGroups: [], resources: [] };

/** Every one is selected by the ones before. */
const gathering = (index: number, count: number): object => ({
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { of: 'hostile' } }, { matchLabels: { at: `${index}` } }] },
  rules: [{ ...nothing, verbs: ['get'], nonResourceURLs: [`/${index}/${count}`] }],
});

/** Roles and bindings that are as large, as wide, or as many as may be. */
export const permissionCases: readonly HostileCase[] = [
  roleCase('a rule of 10^12 combinations', 'wide', () => ({
    rules: [{ verbs: names(1_000), apiGroups: names(1_000), resources: names(1_000), resourceNames: names(1_000) }],
  })),
  roleCase('15,000 rules', 'long', rules),
  roleCase('15,000 rules, told', 'told', rules, rulesOf('told')),
  roleCase('40,000 names in a rule', 'named', () => ({
    rules: [{ verbs: ['list', 'get'], apiGroups: [''], resources: ['pods'], resourceNames: names(40_000) }],
  })),
  {
    name: 'permissions: 900 values of a user are impersonated',
    bodyBytes: requests * 60_000,
    configure,
    codes: [403],
    send(client) {
      const values = many(900, (index) => [`impersonate-extra-a${index}`, 'b']);
      const headers = { 'impersonate-user': 'a', 'impersonate-group': 'c', ...Object.fromEntries(values) };
      return severalTimes(client, { method: 'GET', path: '/api/v1/namespaces', headers });
    },
  },
  {
    name: 'permissions: 15,000 subjects',
    bodyBytes: 3_000_000,
    configure,
    codes: [201, 403, 404],
    prepare: (client) => client.send({ method: 'DELETE', path: `${bindings}/crowded` }),
    async send(client) {
      const subjects = many(15_000, (index) => user(`u${index}`));
      const made = await client.send(bindingRequest('crowded', 'view', subjects));
      const replies = await severalTimes(client, reads('u14999'));
      await client.send({ method: 'DELETE', path: `${bindings}/crowded` });
      return [made, ...replies];
    },
  },
  {
    name: 'permissions: 3,000 roles of 30 rules for one user',
    long: true,
    bodyBytes: 30_000_000,
    configure,
    codes: [201, 403, 404, 200],
    async prepare(client) {
      const parts = {
        rules: many(30, (index) => ({ verbs: names(5), apiGroups: names(5), resources: [`r${index}`] })),
      };
      await create(client, 3_000, (index) => roleRequest(`many-${index}`, parts));
      await create(client, 3_000, (index) => bindingRequest(`many-${index}`, `many-${index}`, [user('many')]));
    },
    async send(client) {
      const replies = [
        ...(await severalTimes(client, reads('many'))),
        ...(await severalTimes(client, rulesOf('many'))),
      ];
      await client.send({ method: 'DELETE', path: `${bindings}/many-1` });
      return [...replies, ...(await severalTimes(client, reads('many')))];
    },
  },
  {
    name: 'permissions: 500 roles that gather each other',
    long: true,
    bodyBytes: 3_000_000,
    configure,
    codes: [201, 200],
    async send(client) {
      const count = 500;
      await create(client, count, (index) => roleRequest(`gather-${index}`, gathering(index, count)));
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      return [await client.send({ method: 'DELETE', path: `${roles}?labelSelector=of%3Dhostile` })];
    },
  },
];
