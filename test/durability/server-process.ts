import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { launcher } from '../release-form.ts';

/** Runs the command in its own process, which `within` starts if it is given. */
export function spawnBinnacle(
  args: readonly string[],
  within: readonly string[] = [],
): ChildProcessByStdio<null, Readable, Readable> {
  const [program = '', ...all] = [...within, process.execPath, launcher, ...args];
  return spawn(program, all, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** `binnacle serve` in its own process. */
export class ServerProcess {
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#log += text));
  }

  /** Resolves when the server reports that it serves. */
  static async start(
    dataDir: string,
    port: number,
    flags: readonly string[] = [],
    within: readonly string[] = [],
  ): Promise<ServerProcess> {
    const address = ['--bind-address', '127.0.0.1', '--secure-port', String(port)];
    // Clients of tests keep to their connections, some of which end when there is another thread.
    const args = ['serve', '--data-dir', dataDir, ...address, '--api-threads=1', ...flags];
    const child = spawnBinnacle(args, within);
    child.stderr.pipe(process.stderr, { end: false });
    const server = new ServerProcess(child);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it served`)));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes(` serves https://127.0.0.1:${port}`)) resolve();
    });
    await promise;
    return server;
  }

  /** What it has written to standard error. */
  get log(): string {
    return this.#log;
  }

  /** Resolves once it has written the text, from now on. */
  async seen(text: string): Promise<void> {
    for (const from = this.#log.length; !this.#log.slice(from).includes(text);) {
      await once(this.#child.stderr ?? this.#child, 'data');
    }
  }

  get pid(): number {
    // It has been spawned.
    return this.#child.pid ?? 0;
  }

  /** Sends it a signal. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Its exit code, once it has ended. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  /** kill -9; resolves when the process is gone. */
  async kill(): Promise<void> {
    const ended = this.ended();
    this.#child.kill('SIGKILL');
    await ended;
  }
}
