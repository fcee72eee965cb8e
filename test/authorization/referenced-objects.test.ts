import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { root, serverNames, startServers } from '../authentication/both-servers.ts';
import { admission, referenceSteps, type Step } from './reference-steps.ts';
import { TokenClient } from './token-client.ts';

// Writes that need more than the right to write the object: whoever has policies read parameters may read these,
// devices are accessed as an administrator in namespaces with a label, and certificates are issued by their signers.

const opened = new AsyncDisposableStack();
let urls: { readonly [name: string]: string };

beforeAll(async () => {
  ({ urls } = opened.use(await startServers(async () => [])));
}, 120_000);

afterAll(() => opened.disposeAsync());

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const writer = {
  apiGroups: [admission, 'resource.k8s.io', 'certificates.k8s.io'],
  resources: [
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
    'resourceclaims',
    'resourceclaims/status',
    'resourceclaims/binding',
    'podcertificaterequests/status',
  ],
  verbs: ['*'],
};

/** What users may do beyond the writes. */
const users: {
  readonly [name: string]: { readonly rules: readonly object[]; readonly namespaced?: readonly object[] };
} = {
  poor: { rules: [] },
  reader: { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] },
  lister: { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }] },
  'reader-of-one': {
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'], verbs: ['get'] }],
  },
  'reader-in-default': {
    rules: [],
    namespaced: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
  },
  'reader-of-group': { rules: [{ apiGroups: ['unknown.example'], resources: ['*'], verbs: ['get', 'list'] }] },
  'reader-of-all': { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }] },
  'reader-of-nodes': { rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] },
  signer: {
    rules: [
      { apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: ['a.example/one'], verbs: ['sign'] },
    ],
  },
  'domain-signer': {
    rules: [
      { apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: ['a.example/*'], verbs: ['sign'] },
    ],
  },
};

async function send(
  server: string,
  user: string,
  { method, path, body, contentType, headers = {} }: Omit<Parameters<TokenClient['send']>[0], 'token'>,
): Promise<{ readonly code: number; readonly body: JsonObject }> {
  using client = new TokenClient(urls[server] ?? '');
  const as = user === root ? {} : { 'Impersonate-User': user };
  const answer = await client.send({
    method,
    path,
    token: root,
    body,
    headers: { ...as, ...headers },
    ...(contentType === undefined ? {} : { contentType }),
  });
  return { code: answer.code, body: answer.body as JsonObject }; // of the API
}

/** `201`, or the code and message of what is refused. */
async function outcome(server: string, [user, method, path, body, options = {}]: Step): Promise<string> {
  const { contentType = contentTypes[method], query = '', headers = {} } = options;
  const { code, body: told } = await send(server, user, {
    method: method === 'APPLY' ? 'PATCH' : method,
    path: `${path}${query}`,
    body,
    headers,
    ...(contentType === undefined ? {} : { contentType }),
  });
  if (code < 300) return String(code);
  const message = told['message'] as string; // of a Status
  return `${code} ${message}`.replace(/-[a-z\d]{5}" is invalid/, '-GENERATED" is invalid');
}

const contentTypes: { readonly [method: string]: string | undefined } = {
  PATCH: 'application/merge-patch+json',
  APPLY: 'application/apply-patch+yaml',
};

async function grant(server: string, user: string, rules: readonly object[], namespace = ''): Promise<void> {
  const where = namespace === '' ? rbac : `${rbac}/namespaces/${namespace}`;
  const metadata = { name: user };
  const [role, binding] = namespace === '' ? ['ClusterRole', 'clusterrolebindings'] : ['Role', 'rolebindings'];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: role, name: user };
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }];
  await send(server, root, { method: 'POST', path: `${where}/${role?.toLowerCase()}s`, body: { metadata, rules } });
  await send(server, root, { method: 'POST', path: `${where}/${binding}`, body: { metadata, roleRef, subjects } });
}

/** Grants arrive by watches. */
async function granted(server: string, user: string, resourceAttributes: JsonObject): Promise<void> {
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const body = { spec: { user, resourceAttributes } };
  const wait = { timeout: 5_000, interval: 50 };
  await vi.waitUntil(async () => {
    const { status } = (await send(server, root, { method: 'POST', path, body })).body;
    return (status as JsonObject)['allowed'];
  }, wait);
}

async function grantAll(server: string): Promise<void> {
  for (const [user, { rules, namespaced }] of Object.entries(users)) {
    await grant(server, user, [writer, ...rules]);
    if (namespaced !== undefined) await grant(server, user, namespaced, 'default');
  }
  for (const user of Object.keys(users))
    await granted(server, user, { group: admission, resource: 'mutatingadmissionpolicies', verb: 'get' });
  const inDefault = { resource: 'configmaps', verb: 'list', namespace: 'default' };
  await granted(server, 'reader-in-default', inDefault);
}

async function namespaces(server: string): Promise<void> {
  const label = 'resource.kubernetes.io/admin-access';
  for (const [name, value] of Object.entries({ mislabelled: 'yes', labelled: 'true' })) {
    const body = { metadata: { name, labels: { [label]: value } } };
    await send(server, root, { method: 'POST', path: '/api/v1/namespaces', body });
  }
}

describe.each(serverNames)('%s', (server) => {
  beforeAll(async () => {
    await grantAll(server);
    await namespaces(server);
  }, 30_000);

  test.each(referenceSteps)('%s', async (name, steps) => {
    const lines: string[] = [];
    for (const step of steps) {
      const [user, method, path, body, { query = '' } = {}] = step;
      lines.push(`${user} ${method} ${path}${query} ${JSON.stringify(body)}`, `  ${await outcome(server, step)}`);
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`testdata/referenced-objects/${name}.txt`);
  });
});
