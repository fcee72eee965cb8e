import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../api-client.ts';
import { freePort } from '../free-port.ts';

const startTimeoutMs = 60_000;
/** As often as envtest asks. */
const pollMs = 100;

/** What controller-runtime's envtest does to a folder of programs: folders, flags and health checks are its own. */
export class Suite implements Disposable {
  readonly assets: string;
  /** In place of the system's, so that it is known what is left. */
  readonly temporary = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'));
  readonly etcdFolder = join(this.temporary, 'k8s_test_framework_101');
  readonly serverFolder = join(this.temporary, 'k8s_test_framework_202');
  readonly etcdPort: number;
  readonly serverPort: number;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(assets: string, ports: readonly number[], environment: NodeJS.ProcessEnv) {
    this.assets = assets;
    [this.etcdPort = 0, this.serverPort = 0] = ports;
    this.#environment = { ...process.env, TMPDIR: this.temporary, ...environment };
    mkdirSync(this.etcdFolder);
    mkdirSync(this.serverFolder);
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(join(this.serverFolder, 'sa-signer.crt'), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(join(this.serverFolder, 'sa-signer.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }

  static async prepare(assets: string, environment: NodeJS.ProcessEnv = {}): Promise<Suite> {
    return new Suite(assets, [await freePort(), await freePort()], environment);
  }

  get etcdCommand(): readonly string[] {
    const url = `http://127.0.0.1:${this.etcdPort}`;
    return [
      join(this.assets, 'etcd'),
      `--advertise-client-urls=${url}`,
      `--data-dir=${this.etcdFolder}`,
      `--listen-client-urls=${url}`,
      '--listen-peer-urls=http://127.0.0.1:1',
      '--unsafe-no-fsync=true',
    ];
  }

  get serverCommand(): readonly string[] {
    return [
      join(this.assets, 'kube-apiserver'),
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--cert-dir=${this.serverFolder}`,
      '--disable-admission-plugins=ServiceAccount',
      `--etcd-servers=http://127.0.0.1:${this.etcdPort}`,
      `--secure-port=${this.serverPort}`,
      `--service-account-issuer=https://127.0.0.1:${this.serverPort}/`,
      `--service-account-key-file=${join(this.serverFolder, 'sa-signer.crt')}`,
      `--service-account-signing-key-file=${join(this.serverFolder, 'sa-signer.key')}`,
      '--service-cluster-ip-range=10.0.0.0/24',
    ];
  }

  /** Its standard output ends with it and all that it starts. */
  start([path = '', ...args]: readonly string[]): ChildProcess {
    return spawn(path, args, { env: this.#environment, stdio: ['ignore', 'pipe', 'inherit'] });
  }

  async startEtcd(): Promise<ChildProcess> {
    const child = this.start(this.etcdCommand);
    await healthy(async () => (await fetch(`http://127.0.0.1:${this.etcdPort}/health`)).status, child);
    return child;
  }

  async startServer(): Promise<ChildProcess> {
    const child = this.start(this.serverCommand);
    await this.serves(child);
    return child;
  }

  async serves(child: ChildProcess): Promise<void> {
    await healthy(() => statusOf(`https://127.0.0.1:${this.serverPort}/healthz`), child);
  }

  async client(): Promise<ApiClient> {
    const kubeconfigPath = join(this.etcdFolder, 'member', 'admin.kubeconfig');
    return await ApiClient.connect({ url: `https://127.0.0.1:${this.serverPort}`, kubeconfigPath });
  }

  [Symbol.dispose](): void {
    rmSync(this.temporary, { recursive: true, force: true });
  }
}

/** Resolves when it has ended, and nothing that it started has its output open. */
export async function ended(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  await once(child, 'close');
}

/** Kills it if it still runs. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const closed = ended(child);
  child.kill(signal);
  await closed;
}

async function healthy(status: () => Promise<number>, child: ChildProcess): Promise<void> {
  const untilMs = performance.now() + startTimeoutMs;
  while (performance.now() < untilMs) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    // oxlint-disable-next-line no-await-in-loop -- as envtest: one try after the other
    if ((await status().catch(() => 0)) === 200) return;
    // oxlint-disable-next-line no-await-in-loop -- likewise
    await sleep(pollMs);
  }
  throw new Error('it does not become healthy');
}

async function statusOf(url: string): Promise<number> {
  const call = request(url, { rejectUnauthorized: false, agent: false }).end();
  const [response] = (await once(call, 'response')) as [{ readonly statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}
