import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { ServerProcess } from '../robustness/server-process.ts';
import type { HeldMemory } from './memory-probe.ts';
import type { ProbeReport } from './readiness-probe.ts';
import { anonymousConnectionsStay } from './server-target.ts';
import type { Stall } from './stall-guard.ts';

const guardFile = join(import.meta.dirname, 'stall-guard.ts');
const memoryFile = join(import.meta.dirname, 'memory-probe.ts');
const probeFile = join(import.meta.dirname, 'readiness-probe.ts');

export interface HostileServerOptions {
  /** Path of `binnacle.js` in a bundle. */
  readonly launcher: string;
  readonly flags?: readonly string[];
  /** More of them, of which files are in `folder`. */
  readonly configure?: ((folder: string) => Promise<readonly string[]>) | undefined;
  /** Stalls include the functions in which the time was spent; slows the server down. */
  readonly stacks?: boolean;
}

/** A server process with the stall guard, and another process that continuously probes its `/readyz`. */
export class HostileServer implements AsyncDisposable {
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly #process: ServerProcess;
  readonly #folder: string;
  #probe: ChildProcess | undefined;
  #stallsRead = 0;

  private constructor(server: ServerProcess, folder: string) {
    this.#process = server;
    this.#folder = folder;
    this.url = server.url;
    this.kubeconfigPath = server.kubeconfigPath;
  }

  static async start({
    launcher,
    flags = [],
    configure,
    stacks = false,
  }: HostileServerOptions): Promise<HostileServer> {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-hostile-'));
    const stallsFile = join(folder, 'stalls');
    writeFileSync(stallsFile, '');
    const server = new ServerProcess({
      name: 'server',
      launcher,
      dataDir: join(folder, 'data'),
      port: await freePort(),
      // Recorded answers are of a server where pods need no account.
      args: [
        anonymousConnectionsStay,
        '--disable-admission-plugins=ServiceAccount',
        ...flags,
        ...((await configure?.(folder)) ?? []),
      ],
      nodeArgs: [
        '--expose-gc',
        '--import',
        guardFile,
        '--import',
        memoryFile,
        ...(stacks ? ['--report-on-signal', `--report-dir=${folder}`] : []),
      ],
      env: { BINNACLE_STALL_GUARD: stallsFile, ...(stacks ? { BINNACLE_STALL_STACKS: '1' } : {}) },
    });
    const hostile = new HostileServer(server, folder);
    try {
      await server.start();
      await hostile.#startProbe();
    } catch (error) {
      await hostile[Symbol.asyncDispose]();
      throw error;
    }
    return hostile;
  }

  get pid(): number {
    return this.#process.child?.pid ?? 0;
  }

  /** How it ended unexpectedly; empty while it runs. */
  get death(): string {
    return this.#process.deaths.at(-1) ?? '';
  }

  /** The results of the readiness probe since the last call. */
  async probed(): Promise<ProbeReport> {
    return ask<ProbeReport>(this.#probe, 'seen');
  }

  /** The server's memory after garbage collection. */
  async heldBytes(): Promise<number> {
    return (await ask<HeldMemory>(this.#process.child, 'held')).heldBytes;
  }

  /** The stalls since the last call. */
  async stalls(): Promise<readonly Stall[]> {
    // The guard's timer fires before the reply.
    await ask(this.#process.child, 'settled');
    const lines = readFileSync(join(this.#folder, 'stalls'), 'utf8').split('\n').slice(0, -1);
    const fresh = lines.slice(this.#stallsRead);
    this.#stallsRead = lines.length;
    return fresh.map((line) => JSON.parse(line) as Stall);
  }

  /** Peak resident memory since the last call. */
  takePeakBytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  }

  /** The stack of an unresponsive server; only with `stacks`. */
  async stack(): Promise<readonly string[]> {
    this.#process.child?.kill('SIGUSR2');
    await sleep(reportMs);
    const file = readdirSync(this.#folder).find((name) => name.startsWith('report'));
    if (file === undefined) return [];
    const report = JSON.parse(readFileSync(join(this.#folder, file), 'utf8')) as Report;
    return report.javascriptStack?.stack ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#probe?.kill('SIGKILL');
    await this.#process.end('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #startProbe(): Promise<void> {
    this.#probe = fork(probeFile, [this.url], { stdio: 'ignore' });
    const ended = once(this.#probe, 'exit').then(() => Promise.reject(new Error('the probe could not connect')));
    await Promise.race([once(this.#probe, 'message'), ended]);
  }
}

const answerTimeoutMs = 120_000;

/** Node's diagnostic report. */
interface Report {
  readonly javascriptStack?: { readonly stack?: readonly string[] };
}

const reportMs = 3000;

async function ask<T>(child: ChildProcess | undefined, question: string): Promise<T> {
  if (child === undefined || !child.connected) throw new Error('the process is gone');
  child.send(question);
  const [answer] = await once(child, 'message', { signal: AbortSignal.timeout(answerTimeoutMs) });
  return answer as T; // each child has one reply type
}
