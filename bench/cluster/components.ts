import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Authority, makeAuthority, makeClient } from '../../test/authentication/certificates.ts';
import { kubeconfigText } from '../../src/authentication/pki/kubeconfig.ts';
import { programs, type ProgramName } from '../../test/components/programs.ts';
import { freePort } from '../../test/free-port.ts';
import { ServerProcess } from '../server-process.ts';
import type { Access, ClusterFiles } from '../target.ts';

/** What an API server and the programs beside it know of each other, as files in a folder. */
export interface ClusterFolder extends ClusterFiles {
  readonly folder: string;
  readonly authority: Authority;
}

export interface Components {
  readonly pids: readonly number[];
  /** Throws if one of them has ended. */
  check(): void;
  stop(): Promise<void>;
}

export const users: { readonly [name in ProgramName]: string } = {
  'kube-controller-manager': 'system:kube-controller-manager',
  'kube-scheduler': 'system:kube-scheduler',
  kwok: 'kwok',
};

/** Without limits of their clients, which would be all that is measured. */
const requestsPerSecond = 10_000;
const stages = join(import.meta.dirname, 'stages.yaml');

export function makeClusterFolder(folder: string): ClusterFolder {
  mkdirSync(folder, { recursive: true });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const authority = makeAuthority('users');
  return {
    folder,
    authority,
    userAuthority: file('users.pem', authority.pem),
    signingKey: file('sa.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  };
}

/**
 * A controller manager, a scheduler, and kwok in place of all kubelets, with the same flags for every API server. On a
 * busy machine, leaders that are late stay leaders, and nodes that are late are not lost.
 */
export async function startComponents({ url, ca }: Access, cluster: ClusterFolder): Promise<Components> {
  const { folder, authority } = cluster;
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const kubeconfig = (name: ProgramName): string => {
    const { cert, key } = makeClient(authority, { subject: [['cn', users[name]]] });
    const user = { certificate: cert, key };
    return file(`${name}.kubeconfig`, kubeconfigText({ serverUrl: url, authority: ca, user }));
  };
  const started: ServerProcess[] = [];
  // Servers follow the folders of their certificates: what programs write does not belong there.
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const run = (name: ProgramName, args: readonly string[]): void => {
    started.push(new ServerProcess({ file: programs[name], args, logFile: join(logs, `${name}.log`) }));
  };
  const serving = async (name: ProgramName, path: string): Promise<readonly string[]> => [
    `--authentication-kubeconfig=${path}`,
    `--authorization-kubeconfig=${path}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${await freePort()}`,
    `--cert-dir=${join(folder, name)}`,
  ];
  const manager = kubeconfig('kube-controller-manager');
  run('kube-controller-manager', [
    `--kubeconfig=${manager}`,
    ...(await serving('kube-controller-manager', manager)),
    '--use-service-account-credentials',
    `--service-account-private-key-file=${cluster.signingKey}`,
    `--root-ca-file=${file('root.pem', ca)}`,
    `--kube-api-qps=${requestsPerSecond}`,
    `--kube-api-burst=${requestsPerSecond}`,
    '--leader-elect-lease-duration=10m',
    '--leader-elect-renew-deadline=5m',
    '--node-monitor-grace-period=10m',
  ]);
  const scheduler = kubeconfig('kube-scheduler');
  const connection = { kubeconfig: scheduler, qps: requestsPerSecond, burst: requestsPerSecond };
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaseDuration: '10m', renewDeadline: '5m' },
    clientConnection: { ...connection, contentType: 'application/vnd.kubernetes.protobuf' },
  };
  run('kube-scheduler', [
    `--config=${file('kube-scheduler.json', JSON.stringify(configuration))}`,
    ...(await serving('kube-scheduler', scheduler)),
  ]);
  run('kwok', [
    `--kubeconfig=${kubeconfig('kwok')}`,
    `--config=${stages}`,
    '--manage-all-nodes',
    '--node-lease-duration-seconds=40',
    '--server-address=',
  ]);
  return {
    pids: started.map(({ pid }) => pid),
    check() {
      for (const each of started) each.check();
    },
    async stop() {
      for (const each of started) await each.stop();
    },
  };
}
