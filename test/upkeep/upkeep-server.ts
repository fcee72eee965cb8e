import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { runProgram } from '../../src/cli/program.ts';
import { ApiClient } from '../api-client.ts';
import { spawnBinnacle } from '../durability/server-process.ts';

export const configMaps = '/api/v1/namespaces/default/configmaps';

export interface Ended {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in its own process; kills it after `killAfterMs`. */
export async function run(args: readonly string[], killAfterMs?: number): Promise<Ended> {
  const child = spawnBinnacle(args);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (killAfterMs !== undefined) void sleep(killAfterMs).then(() => child.kill('SIGKILL'));
  const [stdout, stderr, [code]] = await ended;
  return { code: code as number | null, stdout, stderr };
}

/** Runs a command that needs no server in this process. */
export async function runHere(...args: readonly string[]): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const code = await runProgram(args, {
    startServer: () => Promise.reject(new Error('the command needs no server')),
    stdout: (printed) => (stdout += printed),
    stderr: (printed) => (stderr += printed),
    stopRequested: () => Promise.reject(new Error('the command is not stopped')),
  });
  return { code, stdout, stderr };
}

export function connectTo(dataDir: string, port: number): Promise<ApiClient> {
  return ApiClient.connect({ url: `https://127.0.0.1:${port}`, kubeconfigPath: join(dataDir, 'admin.kubeconfig') });
}

export function configMap(name: string, turn: number, sizeBytes = 20_000): JsonObject {
  const data = { turn: String(turn), filling: 'x'.repeat(sizeBytes) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

export function versionOf(object: JsonObject): number {
  return Number((object['metadata'] as { readonly resourceVersion: string }).resourceVersion); // every answer has one
}

/** Writers of one object each, and a watch of all, from the time it is started until it is stopped. */
export class Load {
  readonly waitsMs: number[] = [];
  readonly acknowledged: number[] = [];
  readonly #client: ApiClient;
  readonly #name: string;
  readonly #last: string;
  readonly #seen: number[] = [];
  readonly #writers: readonly Promise<void>[];
  readonly #watching: Promise<void>;
  #stopped = false;

  private constructor(client: ApiClient, name: string, since: number) {
    this.#client = client;
    this.#name = name;
    this.#last = `${name}-last`;
    this.#watching = this.#watch(since);
    this.#writers = Array.from({ length: 4 }, (_, n) => this.#write(`${name}-${n}`));
  }

  static async start(client: ApiClient, name: string): Promise<Load> {
    return new Load(client, name, versionOf((await client.send('GET', `${configMaps}?limit=1`)).body));
  }

  /** Ends it: every write has been acknowledged, and its event has arrived, once and in order. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#writers);
    await this.#client.send('POST', configMaps, { body: configMap(this.#last, 0, 1) });
    await this.#watching;
    expect(this.#seen).toEqual(this.acknowledged.toSorted((a, b) => a - b));
  }

  async #write(name: string): Promise<void> {
    for (let turn = 0; !this.#stopped; turn += 1) {
      const beganMs = performance.now();
      const [method, path] = turn === 0 ? ['POST', configMaps] : ['PUT', `${configMaps}/${name}`];
      const { code, body } = await this.#client.send(method!, path!, { body: configMap(name, turn, 2000) });
      expect(code).toBe(turn === 0 ? 201 : 200);
      this.acknowledged.push(versionOf(body));
      this.waitsMs.push(performance.now() - beganMs);
    }
  }

  async #watch(since: number): Promise<void> {
    for await (const { object } of this.#client.watch(`${configMaps}?watch=1&resourceVersion=${since}`)) {
      const { name } = object['metadata'] as { readonly name: string };
      if (name === this.#last) return;
      if (name.startsWith(`${this.#name}-`)) this.#seen.push(versionOf(object));
    }
  }
}

/** Writes one object `turns` times. */
export async function overwrite(client: ApiClient, name: string, turns: number): Promise<number> {
  let { body } = await client.send('POST', configMaps, { body: configMap(name, 0) });
  for (let turn = 1; turn < turns; turn += 1)
    ({ body } = await client.send('PUT', `${configMaps}/${name}`, { body: configMap(name, turn) }));
  return versionOf(body);
}

/** Overwrites eight objects at a time. */
export async function fill(client: ApiClient, name: string, turns: number): Promise<void> {
  await Promise.all(Array.from({ length: 8 }, (_, n) => overwrite(client, `${name}-${n}`, turns)));
}
