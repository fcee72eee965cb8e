import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import { freePort } from './free-port.ts';

/** What `ps` shows: T. */
const stopped = 0x54;

const candidates = [
  'etcd',
  join(process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference'), 'etcd'),
];

/** Path of an etcd binary; undefined if there is none. */
export const etcdPath = candidates.find((path) => {
  try {
    return execFileSync(path, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .includes('etcd Version: 3.');
  } catch {
    // Missing, or not a program.
    return false;
  }
});

/** Tests that need etcd: skipped without one, unless skipping is forbidden. */
export function describeWithEtcd(title: string, tests: () => void): void {
  const skip = etcdPath === undefined;
  if (skip && process.env['CI'] === 'true')
    throw new Error('there is no etcd on the PATH or in the folder of the reference');
  describe.skipIf(skip)(skip ? `${title} (skipped: no etcd)` : title, tests);
}

export interface EtcdFiles {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

export interface EtcdStart {
  readonly tls?: EtcdFiles;
  readonly args?: readonly string[];
}

/**
 * A member of an etcd cluster, usually the only one, with its own data, on a port that stays the same across restarts.
 */
export class EtcdProcess implements AsyncDisposable {
  /** `http://127.0.0.1:23456` */
  readonly url: string;
  readonly #folder: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(folder: string, url: string, args: readonly string[]) {
    this.#folder = folder;
    this.url = url;
    this.#args = args;
  }

  /** With `tls`, clients must present a certificate from the same CA. */
  static async start({ tls, args = [] }: EtcdStart = {}): Promise<EtcdProcess> {
    const [member] = await EtcdProcess.startCluster(1, { ...(tls === undefined ? {} : { tls }), args });
    if (member === undefined) throw new Error('a cluster of one has one member');
    return member;
  }

  /** Members of one cluster. */
  static async startCluster(size: number, { tls, args = [] }: EtcdStart = {}): Promise<EtcdProcess[]> {
    const names = Array.from({ length: size }, (_, index) => `member-${index}`);
    const peers = await Promise.all(names.map(async () => `http://127.0.0.1:${await freePort()}`));
    const initialCluster = names.map((name, index) => `${name}=${peers[index]}`).join(',');
    const members = names.map(async (name, index) => {
      const folder = await mkdtemp(join(tmpdir(), 'binnacle-etcd-'));
      const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${await freePort()}`;
      const peer = peers[index] ?? '';
      const etcd = new EtcdProcess(folder, url, [
        // Tests kill processes, never the machine: what etcd has written survives without being flushed.
        '--name',
        name,
        '--data-dir',
        join(folder, 'data'),
        '--log-level',
        'warn',
        '--unsafe-no-fsync',
        '--listen-client-urls',
        url,
        '--advertise-client-urls',
        url,
        '--initial-cluster',
        initialCluster,
        '--listen-peer-urls',
        peer,
        '--initial-advertise-peer-urls',
        peer,
        ...(tls === undefined ? [] : ['--client-cert-auth', '--trusted-ca-file', tls.caFile]),
        ...(tls === undefined ? [] : ['--cert-file', tls.certFile, '--key-file', tls.keyFile]),
        ...args,
      ]);
      await etcd.run();
      return etcd;
    });
    return Promise.all(members);
  }

  /** Starts it, also after `kill`, and resolves when it listens. */
  async run(): Promise<void> {
    if (etcdPath === undefined) throw new Error('there is no etcd');
    const logFile = join(this.#folder, 'etcd.log');
    const log = openSync(logFile, 'a');
    this.#child = spawn(etcdPath, this.#args, { stdio: ['ignore', log, log] });
    closeSync(log);
    const { port } = new URL(this.url);
    while (!(await listens(Number(port)))) {
      if (this.#child.exitCode !== null) throw new Error(`etcd ended: ${readFileSync(logFile, 'utf8').slice(-2000)}`);
      await sleep(10);
    }
  }

  /** kill -9; resolves when the process is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Suspends it: connections stay open, but nothing answers. */
  async pause(): Promise<void> {
    const child = this.#child;
    child?.kill('SIGSTOP');
    // The signal takes effect later.
    while (child?.pid !== undefined && execFileSync('ps', ['-o', 'state=', '-p', String(child.pid)])[0] !== stopped) {
      await sleep(1);
    }
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.resume();
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}
