import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/api/time/clock.ts';
import type { JsonObject } from '../../src/api/json/json.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { FrontProxy } from '../../src/authentication/pki/front-proxy.ts';
import type { RunningServer } from '../../src/server/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { ApiClient } from '../api-client.ts';
import { kubeconfigOf } from '../authentication/both-servers.ts';
import { configOf } from '../authentication/flags.ts';
import { TokenClient } from '../authorization/token-client.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { startReference } from '../reference-server.ts';
import { adminTls } from '../server-fixture.ts';

export const group = 'tides.example';
export const apiService = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`;
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const rbacGroup = 'rbac.authorization.k8s.io';
/** Where the service is that leads to Binnacle. */
const harbor = 'harbor';

/** A request in Binnacle's audit log. */
export interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: JsonObject;
  readonly impersonatedUser?: JsonObject;
  readonly responseStatus?: { readonly code: number };
}

/** Binnacle as an extension API server behind kube-apiserver. */
export interface BehindReference extends AsyncDisposable {
  /** The administrator of kube-apiserver; another one after a start of it. */
  readonly host: ApiClient;
  stopHost(): Promise<void>;
  /** Starts it again; it names users by a certificate of another authority. */
  startHost(): Promise<void>;
  readonly hostUrl: string;
  readonly hostKubeconfig: string;
  /** Users of kube-apiserver, by their tokens: `tok-ann` and `tok-eve`, and those of service accounts. */
  readonly hostUsers: TokenClient;
  /** Clients of the same users, connected to Binnacle itself. */
  readonly directUsers: TokenClient;
  /** A directory that is removed at the end. */
  readonly folder: string;
  /** Binnacle's audit log, from event `from` on. */
  audited(from?: number): readonly AuditEvent[];
  /** Stops Binnacle. */
  stop(): Promise<void>;
  /** Starts it again on its data and its port. */
  start(): Promise<void>;
}

/** Starts both; the group is defined at Binnacle, and registered with kube-apiserver. */
export async function startBehindReference(): Promise<BehindReference> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-behind-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const etcd = opened.use(await EtcdProcess.start());
  const reference = opened.use(await startReference(etcd.url, await hostFlags(folder)));
  let host = opened.use(await ApiClient.connect(reference));
  const kubeconfig = join(folder, 'delegate.kubeconfig');
  const { ca } = await adminTls(reference.kubeconfigPath);
  await writeFile(kubeconfig, kubeconfigOf(reference.url, ca.toString(), { token: await delegateToken(host) }));
  const port = await freePort();
  const { flags, authority } = await ownFlags(folder, { kubeconfig, port });
  let running: RunningServer | undefined;
  const stop = async (): Promise<void> => {
    await running?.close();
    running = undefined;
  };
  const start = async (): Promise<void> => {
    running = await startServer({ ...configOf(flags), logging: { level: 'error' } });
    await running.settled;
  };
  opened.defer(stop);
  await start();
  if (running !== undefined) await define(running);
  await register(host, port, authority);
  const [hostUsers, directUsers] = [reference.url, `https://127.0.0.1:${port}`].map((url) =>
    opened.use(new TokenClient(url)),
  ) as [TokenClient, TokenClient]; // one per URL
  const kept = opened.move();
  return {
    hostUsers,
    directUsers,
    folder,
    stop,
    start,
    get host() {
      return host;
    },
    stopHost: () => reference.stop(),
    async startHost() {
      await reference.start(await hostFlags(folder, 'other-front-proxy'));
      host = kept.use(await ApiClient.connect(reference));
    },
    hostUrl: reference.url,
    hostKubeconfig: reference.kubeconfigPath,
    audited: (from = 0) => auditLog(folder).slice(from),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Flags of kube-apiserver: how it tells others its users. */
export async function hostFlags(folder: string, name = 'front-proxy'): Promise<readonly string[]> {
  const pki = join(folder, name);
  const proxy = new FrontProxy({ folder: pki, clock: systemClock });
  await proxy.client();
  const tokens = join(folder, 'tokens.csv');
  await writeFile(tokens, 'tok-ann,ann,u1,"crew"\ntok-eve,eve,u2\n');
  return [
    `--token-auth-file=${tokens}`,
    `--requestheader-client-ca-file=${join(pki, 'front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-uid-headers=X-Remote-Uid',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${join(pki, 'front-proxy-client.crt')}`,
    `--proxy-client-key-file=${join(pki, 'front-proxy-client.key')}`,
  ];
}

/** Binnacle asks as an account with no more than what extension API servers need. */
async function delegateToken(host: ApiClient): Promise<string> {
  const accounts = '/api/v1/namespaces/kube-system/serviceaccounts';
  const subjects = [{ kind: 'ServiceAccount', namespace: 'kube-system', name: 'binnacle' }];
  const roleRef = (kind: string, name: string): JsonObject => ({ apiGroup: rbacGroup, kind, name });
  await create(host, accounts, { metadata: { name: 'binnacle' } });
  await create(host, `${rbac}/namespaces/kube-system/rolebindings`, {
    metadata: { name: 'binnacle' },
    subjects,
    roleRef: roleRef('Role', 'extension-apiserver-authentication-reader'),
  });
  await create(host, `${rbac}/clusterrolebindings`, {
    metadata: { name: 'binnacle' },
    subjects,
    roleRef: roleRef('ClusterRole', 'system:auth-delegator'),
  });
  await create(host, `${rbac}/clusterroles`, {
    metadata: { name: 'namespaces' },
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }],
  });
  await create(host, `${rbac}/clusterrolebindings`, {
    metadata: { name: 'namespaces' },
    subjects,
    roleRef: roleRef('ClusterRole', 'namespaces'),
  });
  return tokenOf(host, `${accounts}/binnacle`);
}

/** A token of a service account, for these audiences; default: those of kube-apiserver. */
export async function tokenOf(host: ApiClient, account: string, audiences?: readonly string[]): Promise<string> {
  const spec = audiences === undefined ? {} : { audiences: [...audiences] };
  const { status } = await create(host, `${account}/token`, { spec });
  return (status as { readonly token: string }).token; // of a TokenRequest
}

async function ownFlags(
  folder: string,
  { kubeconfig, port }: { readonly kubeconfig: string; readonly port: number },
): Promise<{ readonly flags: readonly string[]; readonly authority: string }> {
  const serverNames = { dnsNames: [`binnacle.${harbor}.svc`], ipAddresses: [] };
  const pki = join(folder, 'serving');
  const { authority } = await openCertificateStore({ folder: pki, serverNames, clock: systemClock });
  const policy = join(folder, 'audit.json');
  const rules = [{ level: 'Metadata' }];
  await mkdir(join(folder, 'data'));
  await writeFile(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  const flags = [
    `--data-dir=${join(folder, 'data')}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-sni-cert-key=${join(pki, 'apiserver.crt')},${join(pki, 'apiserver.key')}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${join(folder, 'audit.log')}`,
    '--audit-log-mode=blocking',
  ];
  return { flags, authority };
}

function auditLog(folder: string): readonly AuditEvent[] {
  const lines = readFileSync(join(folder, 'audit.log'), 'utf8').split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as AuditEvent & { readonly stage: string });
  return events.filter(({ stage }) => stage === 'ResponseComplete');
}

/** Creates an object, and returns it. */
export async function create(client: ApiClient, path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await client.send('POST', path, { body });
  if (answer.code !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function define(server: RunningServer): Promise<void> {
  using client = await ApiClient.connect(server);
  const height = { type: 'integer', description: 'In centimetres.' };
  const properties = { spec: { type: 'object', properties: { height } }, status: { type: 'object' } };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: 'object', description: 'The height of the water.', properties } },
    additionalPrinterColumns: [{ name: 'Height', type: 'integer', jsonPath: '.spec.height' }],
  };
  const names = { kind: 'Tide', plural: 'tides', singular: 'tide', listKind: 'TideList' };
  await create(client, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `tides.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  });
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const mayFlood = `authorizer.group('${group}').resource('tides').namespace(namespaceObject.metadata.name).check('flood').allowed()`;
  const rule = { apiGroups: [group], apiVersions: ['*'], resources: ['tides'], operations: ['CREATE'] };
  await create(client, policies, {
    metadata: { name: 'floods' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: `object.spec.height < 1000 || ${mayFlood}`, message: 'this is a flood' }],
    },
  });
  const spec = { policyName: 'floods', validationActions: ['Deny'] };
  await create(client, policies.replace('policies', 'policybindings'), { metadata: { name: 'floods' }, spec });
}

async function register(host: ApiClient, port: number, authority: string): Promise<void> {
  await create(host, '/api/v1/namespaces', { metadata: { name: harbor } });
  await create(host, `/api/v1/namespaces/${harbor}/services`, {
    metadata: { name: 'binnacle' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  const service = { namespace: harbor, name: 'binnacle', port };
  const priorities = { groupPriorityMinimum: 2000, versionPriority: 10 };
  const caBundle = Buffer.from(authority).toString('base64');
  await create(host, '/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: `v1.${group}` },
    spec: { group, version: 'v1', ...priorities, caBundle, service },
  });
}

/** Lets users do something with all tides. */
export async function allow(
  host: ApiClient,
  name: string,
  { users, rules }: { readonly users: readonly string[]; readonly rules: readonly JsonObject[] },
): Promise<void> {
  await create(host, `${rbac}/clusterroles`, { metadata: { name }, rules: [...rules] });
  await create(host, `${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
    subjects: users.map((user) => ({ kind: 'User', apiGroup: rbacGroup, name: user })),
  });
}
