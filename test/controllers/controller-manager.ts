import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ReferenceServer } from '../reference-server.ts';

const program = join(
  process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference'),
  'kube-controller-manager',
);

export const hasControllerManager = existsSync(program);

/** Controllers that the server runs itself. */
export const comparedControllers = [
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'root-ca-certificate-publisher-controller',
  'kube-apiserver-serving-clustertrustbundle-publisher-controller',
  'bootstrap-signer-controller',
  'token-cleaner-controller',
  'certificatesigningrequest-signing-controller',
  'certificatesigningrequest-approving-controller',
  'certificatesigningrequest-cleaner-controller',
  'ttl-controller',
  'persistentvolumeclaim-protection-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'storage-version-migrator-controller',
  'garbage-collector-controller',
  'namespace-controller',
];

export interface ControllerManagerChoice {
  readonly controllers: readonly string[];
  readonly flags: readonly string[];
}

/** kube-controller-manager beside a kube-apiserver. */
export function startControllerManager(
  { kubeconfigPath, accountKeyFile }: ReferenceServer,
  { controllers, flags }: ControllerManagerChoice = { controllers: comparedControllers, flags: [] },
): AsyncDisposable {
  const pki = join(dirname(accountKeyFile), 'pki');
  const log = openSync(join(dirname(accountKeyFile), 'kube-controller-manager.log'), 'w');
  const child = spawn(
    program,
    [
      `--kubeconfig=${kubeconfigPath}`,
      `--controllers=${controllers.join(',')}`,
      `--service-account-private-key-file=${accountKeyFile}`,
      `--root-ca-file=${join(pki, 'ca.crt')}`,
      `--cluster-signing-cert-file=${join(pki, 'ca.crt')}`,
      `--cluster-signing-key-file=${join(pki, 'ca.key')}`,
      '--leader-elect=false',
      '--secure-port=0',
      ...flags,
    ],
    { stdio: ['ignore', log, log] },
  );
  closeSync(log);
  return { [Symbol.asyncDispose]: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
