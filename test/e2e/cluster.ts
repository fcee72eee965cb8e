import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { controllerTable } from '../../src/controllers/controller-table.ts';
import { Program } from '../program.ts';
import { type Credentials, makeCredentials } from './credentials.ts';
import { Kubelet } from './kubelet/kubelet.ts';
import { gateway, makeBridge, nodeAddress } from './kubelet/pod-network.ts';
import { programPath } from './programs.ts';

export type ServerName = 'binnacle' | 'reference';

export interface Cluster extends AsyncDisposable {
  /** The kubeconfig of an administrator. */
  readonly kubeconfigPath: string;
}

const root = resolve(import.meta.dirname, '../..');

/** Whatever listens on all addresses of the machine is reached at that of the service `kubernetes` as well. */
const service = {
  host: '10.96.0.1',
  port: 443,
  names: ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
};
const serverUrl = `https://${service.host}`;
const nodes = ['node-1', 'node-2'];
const readyWithinMs = 120_000;

/**
 * An API server with a controller manager, a scheduler and the kubelets of two nodes, each as a user of its own. To be
 * called once in a process whose network, mounts and processes are its own; they end with it.
 */
export async function startCluster(name: ServerName, folder: string): Promise<Cluster> {
  await using opened = new AsyncDisposableStack();
  await makeBridge([service.host, ...nodes.map((_, index) => nodeAddress(index))]);
  const pki = join(folder, 'pki');
  await mkdir(pki, { recursive: true });
  const credentials = await makeCredentials(pki, {
    serverUrl,
    dnsNames: service.names,
    ipAddresses: [service.host, gateway],
  });
  const start = (name: string, path: string, args: readonly string[]): Program =>
    opened.use(new Program({ name, path, args, folder }));
  const flags = serverFlags(credentials);
  let server: Program;
  if (name === 'reference') {
    start('etcd', programPath('etcd'), ['--data-dir', join(folder, 'etcd'), '--log-level', 'warn']);
    server = start('server', programPath('kube-apiserver'), ['--etcd-servers=http://127.0.0.1:2379', ...flags]);
  } else {
    const own = [
      `--data-dir=${join(folder, 'data')}`,
      `--root-ca-file=${credentials.file('ca.crt')}`,
      ...signingFlags(credentials),
    ];
    server = start('server', process.execPath, [join(root, 'dist/binnacle.js'), 'serve', ...own, ...flags]);
  }
  await untilReady(server);
  const program = async (name: string, more: readonly string[]): Promise<void> => {
    const kubeconfig = await credentials.kubeconfig(name, `system:${name}`);
    const usual = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--bind-address=127.0.0.1'];
    start(name, programPath(name), [...usual, ...more]);
  };
  await program('kube-controller-manager', [
    '--use-service-account-credentials',
    `--service-account-private-key-file=${credentials.file('sa.key')}`,
    `--root-ca-file=${credentials.file('ca.crt')}`,
    ...signingFlags(credentials),
    ...(name === 'reference' ? [] : [`--controllers=*,${controllerTable.map((row) => `-${row.name}`).join(',')}`]),
  ]);
  await program('kube-scheduler', []);
  for (const [index, nodeName] of nodes.entries()) {
    opened.use(await startKubelet(nodeName, nodeAddress(index), folder, credentials));
  }
  const kubeconfigPath = await credentials.kubeconfig('admin', 'admin', 'system:masters');
  const running = opened.move();
  return { kubeconfigPath, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Flags of both servers. */
function serverFlags({ file }: Credentials): readonly string[] {
  return [
    '--bind-address=0.0.0.0',
    `--secure-port=${service.port}`,
    `--advertise-address=${gateway}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--allow-privileged',
    // There is no proxy of service addresses.
    '--enable-aggregator-routing',
    `--tls-cert-file=${file('apiserver.crt')}`,
    `--tls-private-key-file=${file('apiserver.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${file('sa.key')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    `--kubelet-client-certificate=${file('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${file('apiserver-kubelet-client.key')}`,
    `--requestheader-client-ca-file=${file('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${file('front-proxy-client.crt')}`,
    `--proxy-client-key-file=${file('front-proxy-client.key')}`,
  ];
}

/** Flags of the controller that signs certificates. */
function signingFlags({ file }: Credentials): readonly string[] {
  return [`--cluster-signing-cert-file=${file('ca.crt')}`, `--cluster-signing-key-file=${file('ca.key')}`];
}

async function startKubelet(nodeName: string, address: string, folder: string, credentials: Credentials) {
  const { certificate: cert, key } = await credentials.server(`${nodeName}-serving`, address);
  return Kubelet.start({
    nodeName,
    address,
    folder: join(folder, 'pods'),
    serverUrl,
    service,
    kubeconfigPath: await credentials.kubeconfig(nodeName, `system:node:${nodeName}`, 'system:nodes'),
    credentials: { cert, key, clientAuthority: credentials.authority },
    version: 'v1.37.1',
  });
}

async function untilReady(server: Program): Promise<void> {
  for (const until = Date.now() + readyWithinMs; !(await isReady()); await sleep(100)) {
    if (server.isRunning && Date.now() < until) continue;
    const log = await readFile(server.logFile, 'utf8');
    throw new Error(`the server is not ready: ${log.slice(-2000)}`);
  }
}

async function isReady(): Promise<boolean> {
  const call = request(`${serverUrl}/readyz`, { rejectUnauthorized: false, agent: false });
  call.end();
  try {
    const [response] = await once(call, 'response');
    response.resume();
    return response.statusCode === 200;
  } catch {
    // It does not listen yet.
    return false;
  }
}
