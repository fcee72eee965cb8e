import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/api/time/clock.ts';
import { type Certificates, openCertificateStore } from '../src/authentication/pki/certificate-store.ts';
import { writeKubeconfig } from '../src/authentication/pki/kubeconfig.ts';
import { freePort } from '../test/free-port.ts';
import { startEtcd } from './etcd-process.ts';
import { ServerProcess } from './server-process.ts';
import type { ClusterFiles, RunningControllers, Target } from './target.ts';

const serverNames = {
  dnsNames: ['localhost', 'kubernetes', 'kubernetes.default'],
  ipAddresses: ['127.0.0.1', '10.0.0.1'],
};

/** Directory with `etcd` and `kube-apiserver`; undefined if they are missing. */
export function findReference(): string | undefined {
  const folder = process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference');
  return ['etcd', 'kube-apiserver'].every((name) => existsSync(join(folder, name))) ? folder : undefined;
}

/**
 * kube-apiserver with its own etcd, both with defaults. Admission does not depend on controllers: pods need no service
 * account.
 */
export function reference(programs: string): Target {
  return {
    name: 'kube-apiserver',
    async start(dataDir, cluster) {
      const certificates = await makeCertificates(dataDir, cluster);
      const port = await freePort();
      const url = `https://127.0.0.1:${port}`;
      const startMs = performance.now();
      const etcd = await startEtcd(programs, dataDir);
      const apiserver = new ServerProcess({
        file: join(programs, 'kube-apiserver'),
        args: [
          ...apiserverArguments(join(dataDir, 'certificates'), etcd.url, port),
          ...(cluster === undefined ? ['--disable-admission-plugins=ServiceAccount'] : []),
        ],
        logFile: join(dataDir, 'kube-apiserver.log'),
      });
      await apiserver.ready(url);
      return {
        startMs: performance.now() - startMs,
        pids: [apiserver.pid, etcd.pid],
        etcdPid: etcd.pid,
        access: {
          url,
          ca: certificates.authority,
          cert: certificates.admin.certificate,
          key: certificates.admin.key,
        },
        async stop() {
          await apiserver.stop();
          await etcd.stop();
        },
        startControllers: () => startControllers(programs, { dataDir, url, certificates }),
      };
    },
  };
}

/** kube-controller-manager without the limit of its client, which would be all that is measured. */
async function startControllers(
  programs: string,
  {
    dataDir,
    url,
    certificates,
  }: { readonly dataDir: string; readonly url: string; readonly certificates: Certificates },
): Promise<RunningControllers> {
  const path = join(dataDir, 'controllers.kubeconfig');
  await writeKubeconfig({ path, serverUrl: url, authority: certificates.authority, user: certificates.admin });
  const limits = ['--kube-api-qps=10000', '--kube-api-burst=20000', '--leader-elect=false'];
  const manager = new ServerProcess({
    file: join(programs, 'kube-controller-manager'),
    args: [`--kubeconfig=${path}`, '--bind-address=127.0.0.1', `--secure-port=${await freePort()}`, ...limits],
    logFile: join(dataDir, 'kube-controller-manager.log'),
  });
  return { pid: manager.pid, stop: () => manager.stop() };
}

function apiserverArguments(certificates: string, etcdUrl: string, port: number): readonly string[] {
  const file = (name: string): string => join(certificates, name);
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--service-account-key-file=${file('sa.key')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=Node,RBAC',
  ];
}

/** As files, for kube-apiserver. */
async function makeCertificates(dataDir: string, cluster: ClusterFiles | undefined): Promise<Certificates> {
  const folder = join(dataDir, 'certificates');
  const certificates = await openCertificateStore({ folder: join(dataDir, 'pki'), serverNames, clock: systemClock });
  mkdirSync(folder, { recursive: true });
  const users = cluster === undefined ? '' : readFileSync(cluster.userAuthority, 'utf8');
  writeFileSync(join(folder, 'ca.crt'), certificates.authority + users);
  writeFileSync(join(folder, 'server.crt'), certificates.server.certificate);
  writeFileSync(join(folder, 'server.key'), certificates.server.key, { mode: 0o600 });
  const serviceAccounts = join(folder, 'sa.key');
  if (cluster !== undefined) {
    copyFileSync(cluster.signingKey, serviceAccounts);
  } else if (!existsSync(serviceAccounts)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(serviceAccounts, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  return certificates;
}
