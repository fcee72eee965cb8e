import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Fault, FaultTarget } from './faults.ts';

export interface ServerProcessOptions {
  readonly name: string;
  /** Path of `binnacle.js` in a bundle. */
  readonly launcher: string;
  readonly dataDir: string;
  readonly port: number;
  readonly args: readonly string[];
  /** Arguments for node itself. */
  readonly nodeArgs?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** A server on a fixed port, as a process that can be killed, stopped, paused and restarted. */
export class ServerProcess implements FaultTarget {
  readonly name: string;
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly faults = ['kill', 'stop', 'pause'] as const;
  readonly #options: ServerProcessOptions;
  #child: ChildProcess | undefined;
  #starts = 0;
  #output = '';
  /** How often one of its threads has been replaced. */
  threadDeaths = 0;
  /** Unexpected exits. */
  readonly deaths: string[] = [];

  constructor(options: ServerProcessOptions) {
    this.#options = options;
    this.name = options.name;
    this.url = `https://127.0.0.1:${options.port}`;
    this.kubeconfigPath = join(options.dataDir, 'admin.kubeconfig');
  }

  /** Identifies the current process: changes with each start. */
  get incarnation(): string {
    return `${this.name}.${this.#starts}`;
  }

  /** Undefined while it is not running. */
  get child(): Readonly<ChildProcess> | undefined {
    return this.#child;
  }

  /** Resolves when the server reports that it serves. */
  async start(): Promise<void> {
    const { launcher, dataDir, port, args, nodeArgs = [], env } = this.#options;
    const address = ['--bind-address', '127.0.0.1', '--secure-port', String(port)];
    // Clients of tests keep to their connections, some of which end when there is another thread.
    const serve = ['serve', '--data-dir', dataDir, ...address, '--api-threads=1'];
    this.#starts += 1;
    this.#output = '';
    const child = spawn(process.execPath, [...nodeArgs, launcher, ...serve, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...env },
    });
    this.#child = child;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const read = (text: string): void => {
      this.threadDeaths += text.split('another one takes its place').length - 1;
      this.#output = (this.#output + text).slice(-20_000);
      if (this.#output.includes(` serves ${this.url}`)) resolve();
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('exit', (code, signal) => {
      if (this.#child === child) this.deaths.push(`${this.incarnation} ended with ${signal ?? code}: ${this.#output}`);
      reject(new Error(`${this.name} ended with ${signal ?? code} before it served: ${this.#output}`));
    });
    await promise;
  }

  async begin(fault: Fault): Promise<void> {
    if (fault === 'pause') this.#child?.kill('SIGSTOP');
    else await this.end(fault === 'kill' ? 'SIGKILL' : 'SIGTERM');
  }

  async heal(fault: Fault): Promise<void> {
    if (fault === 'pause') this.#child?.kill('SIGCONT');
    else await this.start();
  }

  /** Resolves when the process is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
