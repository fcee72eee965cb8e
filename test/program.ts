import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ProgramOptions {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** Where its output is kept, in `NAME.log`. */
  readonly folder: string;
  /** Besides that of the tests. */
  readonly env?: { readonly [name: string]: string };
}

/** A program that runs until it is disposed of. */
export class Program implements AsyncDisposable {
  readonly name: string;
  readonly logFile: string;
  readonly #child: ChildProcess;

  constructor({ name, path, args, folder, env = {} }: ProgramOptions) {
    this.name = name;
    this.logFile = join(folder, `${name}.log`);
    const log = openSync(this.logFile, 'w');
    this.#child = spawn(path, args, { stdio: ['ignore', log, log], env: { ...process.env, ...env } });
    closeSync(log);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Its exit code, once it has ended by itself. */
  async ended(): Promise<number | null> {
    if (this.isRunning) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  /** Lines of its output. */
  lines(pattern: RegExp): readonly string[] {
    return readFileSync(this.logFile, 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
