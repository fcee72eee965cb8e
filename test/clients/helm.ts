import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../src/api/json/json.ts';
import { clientsDir } from './program.ts';
import { endOf } from './watching-client.ts';

export const helmPath = join(clientsDir, 'helm', 'helm');

/** Runs Helm, with results that can be compared. */
export class Helm {
  readonly #options: { readonly kubeconfigPath: string; readonly namespace: string; readonly home: string };

  constructor(options: { readonly kubeconfigPath: string; readonly namespace: string; readonly home: string }) {
    this.#options = options;
  }

  async run(args: readonly string[]): Promise<JsonObject> {
    const { kubeconfigPath, namespace, home } = this.#options;
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      HELM_CACHE_HOME: home,
      HELM_CONFIG_HOME: home,
      HELM_DATA_HOME: home,
    };
    const child = spawn(helmPath, ['--kubeconfig', kubeconfigPath, '--namespace', namespace, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    const { code, stdout, stderr } = await endOf(child);
    // Reflectors log watches that Helm itself has ended.
    return { code, stdout: outputOf(stdout), stderr: stderr.replaceAll(/^I\d{4} .*reflector\.go.*\n/gm, '') };
  }
}

/** JSON is compared without Helm's own timestamps. Tables of resources are in Go map order. */
function outputOf(text: string): JsonValue {
  if (/^[[{]/.test(text)) return JSON.parse(text, withoutTimes) as JsonValue;
  const output = text
    .replaceAll(/^LAST DEPLOYED: .*$/gm, 'LAST DEPLOYED: <time>')
    .replaceAll(/\b10\.0\.0\.\d+ +/g, '<address> ')
    .replaceAll(/\b\d+s$/gm, '<age>');
  return output.includes('\n==> ') ? output.split(/\n+(?===> )|\n\n/).sort() : output.split('\n');
}

function withoutTimes(key: string, value: unknown): unknown {
  return ['updated', 'first_deployed', 'last_deployed', 'last_run', 'started_at', 'completed_at'].includes(key)
    ? undefined
    : value;
}
