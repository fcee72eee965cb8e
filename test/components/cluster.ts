import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { makeAuthority, makeClient } from '../authentication/certificates.ts';
import { kubeconfigOf } from '../authentication/both-servers.ts';
import { freePort } from '../free-port.ts';
import { adminTls, startTestServer } from '../server-fixture.ts';
import { Program } from '../program.ts';
import { programs as paths, type ProgramName } from './programs.ts';

/** A server with a controller manager, a scheduler and kwok, each as a user of its own. */
export interface Cluster extends AsyncDisposable {
  readonly admin: ApiClient;
  readonly kubeconfigPath: string;
  readonly programs: readonly Program[];
  /** Where programs tell how they are; kwok does not. */
  readonly urls: { readonly [name in Exclude<ProgramName, 'kwok'>]: string };
}

const stages = join(import.meta.dirname, 'stages.yaml');
export const users: { readonly [name in ProgramName]: string } = {
  'kube-controller-manager': 'system:kube-controller-manager',
  'kube-scheduler': 'system:kube-scheduler',
  kwok: 'kwok',
};

export async function startCluster(): Promise<Cluster> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-components-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKeyFile = await file('sa.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const authority = makeAuthority('components');
  const { authentication, authorization } = configDefaults;
  const config = {
    authentication: {
      ...authentication,
      clientCaFile: await file('users.pem', authority.pem),
      serviceAccounts: { ...authentication.serviceAccounts, signingKeyFile },
    },
    authorization: { ...authorization, modes: ['Node', 'RBAC'] },
  };
  const server = opened.use(await startTestServer({}, {}, { config }));
  const admin = opened.use(await ApiClient.connect(server));
  const { ca } = await adminTls(server.kubeconfigPath);
  const kubeconfigs = new Map<ProgramName, string>();
  for (const [name, user] of Object.entries(users) as readonly (readonly [ProgramName, string])[]) {
    const { cert, key } = makeClient(authority, { subject: [['cn', user]] });
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    const shown = { 'client-certificate-data': encoded(cert), 'client-key-data': encoded(key) };
    kubeconfigs.set(name, await file(`${name}.kubeconfig`, kubeconfigOf(server.url, ca.toString(), shown)));
  }
  const rootCa = await file('root.pem', ca.toString());
  const ports = { 'kube-controller-manager': await freePort(), 'kube-scheduler': await freePort() };
  const run = (name: ProgramName, flags: readonly string[]): Program => {
    const kubeconfig = `--kubeconfig=${kubeconfigs.get(name)}`;
    return opened.use(new Program({ name, path: paths[name], args: [kubeconfig, ...flags], folder }));
  };
  const serving = (name: keyof typeof ports): readonly string[] => [
    `--authentication-kubeconfig=${kubeconfigs.get(name)}`,
    `--authorization-kubeconfig=${kubeconfigs.get(name)}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${ports[name]}`,
    `--cert-dir=${join(folder, name)}`,
  ];
  await grantKwok(admin);
  const programs = [
    run('kube-controller-manager', [
      ...serving('kube-controller-manager'),
      '--use-service-account-credentials',
      `--service-account-private-key-file=${signingKeyFile}`,
      `--root-ca-file=${rootCa}`,
    ]),
    run('kube-scheduler', serving('kube-scheduler')),
    run('kwok', [`--config=${stages}`, '--manage-all-nodes', '--node-lease-duration-seconds=0', '--server-address=']),
  ];
  const running = opened.move();
  return {
    admin,
    kubeconfigPath: server.kubeconfigPath,
    programs,
    urls: {
      'kube-controller-manager': `https://127.0.0.1:${ports['kube-controller-manager']}`,
      'kube-scheduler': `https://127.0.0.1:${ports['kube-scheduler']}`,
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** kwok is every kubelet; the others are known to the bootstrap policy. */
async function grantKwok(admin: ApiClient): Promise<void> {
  await admin.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    body: {
      metadata: { name: 'kwok' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: users.kwok }],
    },
  });
}
