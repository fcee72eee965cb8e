import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/api/json/json.ts';
import { endOf } from './watching-client.ts';

/** Where `.ci/install-clients` installs the programs' dependencies. */
export const clientsDir = process.env['BINNACLE_CLIENTS'] ?? join(homedir(), '.cache', 'binnacle-clients');

/** A client's results by step: a value, or the code, reason and message of an error. */
export type Steps = JsonObject;

/** A server and an administrator's kubeconfig. */
export interface Server {
  readonly url: string;
  readonly kubeconfigPath: string;
}

/** A client library or tool with steps of its own. */
export interface ClientProgram {
  readonly name: string;
  /** The program whose recording applies, if not its own. */
  readonly recordedAs?: string;
  /** Feature gates it needs. */
  readonly gates?: readonly string[];
  /** Why this machine cannot run it; undefined if it can. */
  missing(): string | undefined;
  run(server: Server, namespace: string): Promise<Steps>;
}

/**
 * A reason unless `.ci/install-clients` has installed what the file `wanted` asks for: it keeps a copy of that file.
 */
export function missingInstall(name: string, wanted: string): string | undefined {
  const installed = join(clientsDir, name);
  try {
    if (readFileSync(`${installed}.wanted`, 'utf8') === readFileSync(wanted, 'utf8')) return undefined;
  } catch {
    // Not installed.
  }
  return `${installed} is not up to date: run .ci/install-clients`;
}

/** Runs a program in this directory, which prints its steps as one line of JSON. */
export async function runSteps(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Steps> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const { code, stdout, stderr } = await endOf(child);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.slice(-4_000)}`);
  return JSON.parse(stdout) as Steps; // our own programs
}
