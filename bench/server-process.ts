import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 5;
const startLimitMs = 60_000;

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly logFile: string;
}

/** A server process with its output in a file. */
export class ServerProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #logFile: string;

  constructor({ file, args, logFile }: Command) {
    const log = openSync(logFile, 'w');
    this.#child = spawn(file, args, { stdio: ['ignore', log, log] });
    closeSync(log);
    this.#logFile = logFile;
    if (this.#child.pid === undefined) throw new Error(`${file} does not start`);
    this.pid = this.#child.pid;
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async stop(): Promise<void> {
    if (this.ended) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await exit;
    clearTimeout(kill);
  }

  /** Throws if it has ended, with the end of its output. */
  check(): void {
    if (this.ended) throw new Error(`${this.#logFile}: ${this.#lastOutput()}`);
  }

  /** Resolves when `/readyz` returns 200. */
  async ready(url: string): Promise<void> {
    const limit = performance.now() + startLimitMs;
    while (!(await answersReady(url))) {
      if (this.ended || performance.now() > limit) throw new Error(`not ready: ${this.#lastOutput()}`);
      await delay(pollMs);
    }
  }

  #lastOutput(): string {
    return readFileSync(this.#logFile, 'utf8').slice(-2000);
  }
}

/** Without credentials, and before the certificates of a first start are known. */
function answersReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(`${url}/readyz`, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.on('error', () => resolve(false));
    call.end();
  });
}
