import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seeded } from '../../tools/compare-patches/generate.ts';
import type { JsonObject } from '../../src/api/json.ts';
import { ApiClient } from '../api-client.ts';
import { freePort, ServerProcess } from '../durability/server-process.ts';
import { clientGo } from './client-go.ts';
import { clientNode } from './client-node.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { kubectlWatch } from './kubectl-watch.ts';
import { type Report, seenObject, type SeenObject, type WatchingClient } from './watching-client.ts';
import { collectionOf, WriteLoad } from './write-load.ts';

/**
 * Clients list and watch through a proxy that cuts their connections, while others write. In the end each holds what the server holds.
 * `BINNACLE_CLIENT_SECONDS=600 npm test -- test/clients` for ten minutes of it; `BINNACLE_SEED` repeats the writes.
 */
const durationMs = Number(process.env['BINNACLE_CLIENT_SECONDS'] ?? '15') * 1_000;
const seed = Number(process.env['BINNACLE_SEED'] ?? Date.now() % 2 ** 31);
const writesPerSecond = 500;
/** A cut comes so long after the one before. */
const cutAfterMs = { least: 200, most: 2_000 };
/** Clients wait longer from cut to cut, client-go's reflector up to 30 s. */
const settleMs = 90_000;
const namespaces = ['default', 'kube-public', 'one', 'two', 'three'];
const last = { namespace: 'two', name: 'zz-last' };

const goInformer = await clientGo("client-go's informer");
const clients: readonly WatchingClient[] = [goInformer, clientNode, kubectlWatch];
const present = clients.filter((client) => client.missing() === undefined);
const root = await mkdtemp(join(tmpdir(), 'binnacle-clients-'));
const random = seeded(seed);
let server: ServerProcess;
let port: number;
let writer: ApiClient;

beforeAll(async () => {
  await Promise.all(present.map((client) => client.prepare()));
  port = await freePort();
  server = await ServerProcess.start(join(root, 'data'), port);
  const kubeconfigPath = join(root, 'data', 'admin.kubeconfig');
  writer = await ApiClient.connect({ url: `https://127.0.0.1:${port}`, kubeconfigPath });
  for (const name of namespaces) await writer.send('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
}, 600_000);

afterAll(async () => {
  writer[Symbol.dispose]();
  await server.kill();
  await goInformer[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});

/** The administrator's kubeconfig with the proxy in the server's place. */
async function proxiedKubeconfig(proxyPort: number): Promise<string> {
  const text = await readFile(join(root, 'data', 'admin.kubeconfig'), 'utf8');
  const path = join(root, `proxied-${proxyPort}.kubeconfig`);
  await writeFile(path, text.replaceAll(`:${port}`, `:${proxyPort}`), { mode: 0o600 });
  return path;
}

async function serverState(): Promise<{ readonly [name: string]: SeenObject }> {
  const { body } = await writer.send('GET', '/api/v1/configmaps');
  const items = body['items'] as JsonObject[]; // A list has items.
  return Object.fromEntries(items.map((item) => seenObject(item)));
}

/** Names of which the two say something else. */
function differences(found: Report['objects'], expected: Report['objects']): string[] {
  const names = new Set([...Object.keys(found), ...Object.keys(expected)]);
  const texts = [...names].map((name) => [name, JSON.stringify(found[name]), JSON.stringify(expected[name])] as const);
  return texts.flatMap(([name, is, shouldBe]) => (is === shouldBe ? [] : [`${name} is ${is}, not ${shouldBe}`]));
}

async function cutNowAndThen(proxies: readonly CuttingProxy[], signal: AbortSignal): Promise<number> {
  let cuts = 0;
  while (!signal.aborted) {
    const waitMs = cutAfterMs.least + random() * (cutAfterMs.most - cutAfterMs.least);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    for (const proxy of proxies) cuts += proxy.cut();
  }
  return cuts;
}

describe(`clients behind cuts (seed ${seed})`, () => {
  const reports = new Map<string, Report>();
  let state: { readonly [name: string]: SeenObject };

  beforeAll(
    async () => {
      const load = new WriteLoad({ client: writer, random, namespaces, namesPerNamespace: 150, writesPerSecond });
      await load.run(1_000);
      const proxies = await Promise.all(present.map(() => CuttingProxy.start(port)));
      const gaveUp = new AbortController();
      const watching = present.map(async (client, n) => {
        const kubeconfigPath = await proxiedKubeconfig(proxies[n]!.port);
        const report = await client
          .watch({ kubeconfigPath, last: `${last.namespace}/${last.name}` }, gaveUp.signal)
          .catch((error: unknown) => error);
        if (report instanceof Error) throw new Error(`${client.name}: ${report.message}`, { cause: report });
        reports.set(client.name, report as Report); // Clients reject with errors only.
      });
      const stopped = new AbortController();
      const cutting = cutNowAndThen(proxies, stopped.signal);
      const started = performance.now();
      try {
        await load.run((durationMs / 1_000) * writesPerSecond);
        await writer.send('POST', collectionOf(last.namespace), { body: { metadata: { name: last.name } } });
      } catch (error) {
        gaveUp.abort();
        throw error;
      } finally {
        stopped.abort();
      }
      const tookMs = performance.now() - started;
      const cuts = await cutting;
      const timer = setTimeout(() => gaveUp.abort(), settleMs);
      await Promise.allSettled(watching);
      clearTimeout(timer);
      state = await serverState();
      await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
      console.log(`${load.writes} writes, the last in ${Math.round(tookMs)} ms; ${cuts} connections cut`);
      expect(cuts).toBeGreaterThan((present.length * durationMs) / 5_000);
      await Promise.all(watching);
    },
    5 * durationMs + settleMs + 60_000,
  );

  for (const client of clients) {
    const missing = client.missing();
    const title = missing === undefined ? client.name : `${client.name} (skipped: ${missing})`;
    test.skipIf(missing !== undefined)(`${title} holds what the server holds`, () => {
      const report = reports.get(client.name);
      expect(report?.problems).toEqual([]);
      expect(report?.events).toBeGreaterThan(Object.keys(state).length);
      expect(differences(report?.objects ?? {}, state)).toEqual([]);
    });
  }
});
