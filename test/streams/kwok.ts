import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:net';
import { systemClock } from '../../src/api/time/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import type { ApiClient } from '../api-client.ts';
import { programs } from '../components/programs.ts';
import { freePort } from '../free-port.ts';
import { Program } from '../program.ts';
import { createNode } from './node.ts';

export interface KwokOptions {
  readonly folder: string;
  readonly kubeconfigPath: string;
  readonly admin: ApiClient;
  /** Where forwards to port 80 of a pod go. */
  readonly forwardTo: number;
}

export interface Kwok extends AsyncDisposable {
  /** What containers have written. */
  readonly logFile: string;
}

/** The kubelet of a node `kwok`: containers are processes of this machine. */
export async function startKwok({ folder, kubeconfigPath, admin, forwardTo }: KwokOptions): Promise<Kwok> {
  await mkdir(folder, { recursive: true });
  const logFile = join(folder, 'container.log');
  await writeFile(logFile, '');
  const kinds = [
    ['ClusterLogs', { logs: [{ logsFile: logFile, follow: true }] }],
    ['ClusterAttach', { attaches: [{ logsFile: logFile }] }],
    ['ClusterExec', { execs: [{ local: {} }] }],
    ['ClusterPortForward', { forwards: [{ ports: [80], target: { address: '127.0.0.1', port: forwardTo } }] }],
  ] as const;
  const documents = kinds.map(([kind, spec]) =>
    JSON.stringify({ apiVersion: 'kwok.x-k8s.io/v1alpha1', kind, metadata: { name: 'all' }, spec }),
  );
  const configFile = join(folder, 'kwok.yaml');
  // It does not start without stages.
  const stages = await readFile(join(import.meta.dirname, '..', 'components', 'stages.yaml'), 'utf8');
  await writeFile(configFile, [...documents, stages].join('\n---\n'));
  const port = await freePort();
  await createNode(admin, { name: 'kwok', port });
  const serverNames = { dnsNames: ['kwok'], ipAddresses: ['127.0.0.1'] };
  const { server } = await openCertificateStore({ folder, serverNames, clock: systemClock });
  await writeFile(join(folder, 'kwok.crt'), server.certificate);
  await writeFile(join(folder, 'kwok.key'), server.key);
  const args = [
    `--kubeconfig=${kubeconfigPath}`,
    `--config=${configFile}`,
    '--manage-all-nodes',
    `--server-address=127.0.0.1:${port}`,
    `--node-port=${port}`,
    '--node-ip=127.0.0.1',
    '--node-lease-duration-seconds=0',
    `--tls-cert-file=${join(folder, 'kwok.crt')}`,
    `--tls-private-key-file=${join(folder, 'kwok.key')}`,
  ];
  const program = new Program({ name: 'kwok', path: programs.kwok, args, folder });
  await untilListening(port).catch((error: unknown) => {
    throw new Error(program.lines(/./).slice(-5).join('\n'), { cause: error });
  });
  return { logFile, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

async function untilListening(port: number): Promise<void> {
  for (const until = Date.now() + 15_000; ; await sleep(50)) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    const isThere = await promise;
    socket.destroy();
    if (isThere) return;
    if (Date.now() > until) throw new Error('kwok does not listen');
  }
}
