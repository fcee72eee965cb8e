import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../src/api/time/clock.ts';
import { openCertificateStore } from '../src/authentication/pki/certificate-store.ts';
import { writeKubeconfig } from '../src/authentication/pki/kubeconfig.ts';
import { freePort } from './free-port.ts';

/** The path of the reference's program; it may be missing. */
export const referenceProgram = join(
  process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference'),
  'kube-apiserver',
);

/** Whether to skip for lack of kube-apiserver; an error where skipping is forbidden. */
export function skipWithoutReference(): boolean {
  const missing = !existsSync(referenceProgram);
  if (missing && process.env['CI'] === 'true') throw new Error(`there is no ${referenceProgram}`);
  return missing;
}

export interface ReferenceServer extends AsyncDisposable {
  readonly url: string;
  /** For an administrator. */
  readonly kubeconfigPath: string;
  /** PEM key of service account tokens. */
  readonly accountKeyFile: string;
  /** The id of the process, while there is one. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
  /** Sends it a signal. */
  signal(name: NodeJS.Signals): void;
  /** Its exit code, once it has ended by itself. */
  ended(): Promise<number | null>;
  /** Starts it again after a stop, on the same port; resolves once it is ready, or answers well at another path. */
  start(flags: readonly string[], until?: string): Promise<void>;
}

/** Starts kube-apiserver on an etcd, with its own certificates; resolves once it is ready. */
export async function startReference(etcdUrl: string, flags: readonly string[]): Promise<ReferenceServer> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-reference-'));
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const kubeconfigPath = join(folder, 'kubeconfig');
  const logFile = join(folder, 'kube-apiserver.log');
  await writeCredentials(folder, url, kubeconfigPath);
  let child: ChildProcess | undefined;
  const end = async (): Promise<void> => {
    if (child !== undefined) await stop(child);
    child = undefined;
  };
  const start = async (given: readonly string[], path = '/readyz'): Promise<void> => {
    const log = openSync(logFile, 'w');
    const all = [...argumentsOf(folder, etcdUrl, port), ...authorizationOf(given), ...accountsOf(given), ...given];
    const started = spawn(referenceProgram, all, { stdio: ['ignore', log, log] });
    child = started;
    closeSync(log);
    for (const until = Date.now() + 60_000; !(await answersWell(url + path)); await sleep(50)) {
      if (started.exitCode === null && Date.now() < until) continue;
      started.kill('SIGKILL');
      throw new Error(`not ready: ${readFileSync(logFile, 'utf8').slice(-2000)}`);
    }
  };
  await start(flags);
  return {
    url,
    kubeconfigPath,
    accountKeyFile: join(folder, 'sa.key'),
    start,
    stop: end,
    get pid() {
      return child?.pid;
    },
    signal: (name) => child?.kill(name),
    async ended() {
      if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child?.exitCode ?? null;
    },
    async [Symbol.asyncDispose]() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function argumentsOf(folder: string, etcdUrl: string, port: number): readonly string[] {
  const file = (name: string): string => join(folder, name);
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
  ];
}

/** Nobody makes accounts there, unless a test does. */
function accountsOf(flags: readonly string[]): readonly string[] {
  const asks = flags.some((flag) => flag.startsWith('--enable-admission-plugins=') && flag.includes('ServiceAccount'));
  return asks ? [] : ['--disable-admission-plugins=ServiceAccount'];
}

/** Modes and a file exclude each other; repeated modes add up. */
function authorizationOf(flags: readonly string[]): readonly string[] {
  const isGiven = flags.some((flag) => /^--authorization-(?:config|mode)=/.test(flag));
  return isGiven ? [] : ['--authorization-mode=Node,RBAC'];
}

async function writeCredentials(folder: string, serverUrl: string, kubeconfigPath: string): Promise<void> {
  const serverNames = { dnsNames: ['localhost', 'kubernetes.default'], ipAddresses: ['127.0.0.1', '10.0.0.1'] };
  const { authority, server, admin } = await openCertificateStore({
    folder: join(folder, 'pki'),
    serverNames,
    clock: systemClock,
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const files = {
    'ca.crt': authority,
    'server.crt': server.certificate,
    'server.key': server.key,
    'sa.key': privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  await writeKubeconfig({ path: kubeconfigPath, serverUrl, authority, user: admin });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function answersWell(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const call = request(url, { rejectUnauthorized: false, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  });
  call.on('error', () => resolve(false));
  call.end();
  return promise;
}
