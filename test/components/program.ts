import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(homedir(), '.cache');
const reference = process.env['BINNACLE_REFERENCE'] ?? join(cache, 'binnacle-reference');
const clients = process.env['BINNACLE_CLIENTS'] ?? join(cache, 'binnacle-clients');

/** What a cluster is made of beside its API server. */
const programs = {
  'kube-controller-manager': join(reference, 'kube-controller-manager'),
  'kube-scheduler': join(reference, 'kube-scheduler'),
  kwok: join(clients, 'kwok', 'kwok'),
} as const;

export type ProgramName = keyof typeof programs;

/** Whether to skip for want of one of them; where nothing may be skipped that is an error. */
export function skipWithoutPrograms(): boolean {
  const missing = Object.values(programs).filter((path) => !existsSync(path));
  if (missing.length > 0 && process.env['CI'] === 'true') throw new Error(`there is no ${missing.join(', ')}`);
  return missing.length > 0;
}

/** A program that runs until it is disposed of. */
export class Program implements AsyncDisposable {
  readonly name: ProgramName;
  readonly #child: ChildProcess;
  readonly #logFile: string;

  /** Its output is kept in the folder. */
  constructor(name: ProgramName, folder: string, args: readonly string[]) {
    this.name = name;
    this.#logFile = join(folder, `${name}.log`);
    const log = openSync(this.#logFile, 'w');
    this.#child = spawn(programs[name], args, { stdio: ['ignore', log, log] });
    closeSync(log);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Lines of its output. */
  lines(pattern: RegExp): readonly string[] {
    return readFileSync(this.#logFile, 'utf8')
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
