import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import { type Random, seeded } from '../../tools/random-objects/random.ts';
import { ApiClient } from '../api-client.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { type Report, seenObject, type SeenObject, type WatchingClient } from './watching-client.ts';
import { collectionOf, WriteLoad } from './write-load.ts';

export interface BehindCutsOptions {
  readonly clients: readonly WatchingClient[];
  /** Port of a server without other writers. */
  readonly port: number;
  readonly kubeconfigPath: string;
  readonly scratchDir: string;
  readonly writes: number;
  readonly seed: number;
  /** Sends the writes; absent: one connection. */
  readonly writer?: Writer;
}

type Writer = Pick<ApiClient, 'send'>;

export interface BehindCutsResult {
  /** A report, or the error. */
  readonly reports: ReadonlyMap<WatchingClient, Report | Error>;
  /** The server's objects. */
  readonly state: Report['objects'];
  readonly cuts: number;
  readonly durationMs: number;
}

export const writesPerSecond = 500;
/** Clients back off between cuts, client-go's reflector up to 30 s. */
export const settleMs = 90_000;
const warmUpWrites = 1_000;
/** The share of writes at the end, without cuts: even clients that relist after each cut must catch up. */
const calmShare = 0.3;
/** Time between cuts. */
const cutAfterMs = { least: 200, most: 2_000 };
/** Sorted by name. */
const namespaces = ['default', 'kube-public', 'one', 'three', 'two'];
/** The last one in lists. */
const last = { namespace: 'two', name: 'zz-last' };

/** Runs clients that list and watch through proxies that cut connections, while ConfigMaps are written. */
export async function runBehindCuts(options: BehindCutsOptions): Promise<BehindCutsResult> {
  const { clients, port, kubeconfigPath, writes, seed } = options;
  using connected = await ApiClient.connect({ url: `https://127.0.0.1:${port}`, kubeconfigPath });
  const { writer = connected } = options;
  for (const name of namespaces) await writer.send('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
  const random = seeded(seed);
  const load = new WriteLoad({ client: writer, random, namespaces, namesPerNamespace: 150, writesPerSecond });
  await load.run(warmUpWrites);
  const proxies = await Promise.all(clients.map(() => CuttingProxy.start(port)));
  const gaveUp = new AbortController();
  const reports = clients.map(async (client, n): Promise<readonly [WatchingClient, Report | Error]> => {
    const path = await proxiedKubeconfig(options, proxies[n]!.port);
    const watching = client.watch({ kubeconfigPath: path, last: `${last.namespace}/${last.name}` }, gaveUp.signal);
    return [client, await watching.catch((error: unknown) => new Error(client.name, { cause: error }))];
  });
  const stopped = new AbortController();
  const cutting = cutNowAndThen(proxies, random, stopped.signal);
  const started = performance.now();
  try {
    await load.run(writes * (1 - calmShare)).finally(() => stopped.abort());
    await load.run(writes * calmShare);
    await writer.send('POST', collectionOf(last.namespace), { body: { metadata: { name: last.name } } });
  } catch (error) {
    gaveUp.abort();
    throw error;
  }
  const durationMs = Math.round(performance.now() - started);
  const timer = setTimeout(() => gaveUp.abort(), settleMs);
  const found = new Map(await Promise.all(reports));
  clearTimeout(timer);
  await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
  return { reports: found, state: await stateOf(writer), cuts: await cutting, durationMs };
}

/** The administrator's kubeconfig, pointing to the proxy. */
async function proxiedKubeconfig(options: BehindCutsOptions, proxyPort: number): Promise<string> {
  const text = await readFile(options.kubeconfigPath, 'utf8');
  const path = join(options.scratchDir, `proxied-${proxyPort}.kubeconfig`);
  await writeFile(path, text.replaceAll(`:${options.port}`, `:${proxyPort}`), { mode: 0o600 });
  return path;
}

async function cutNowAndThen(proxies: readonly CuttingProxy[], random: Random, signal: AbortSignal): Promise<number> {
  let cuts = 0;
  while (!signal.aborted) {
    const waitMs = cutAfterMs.least + random() * (cutAfterMs.most - cutAfterMs.least);
    // Rejects on abort, which the loop detects itself.
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    for (const proxy of proxies) cuts += proxy.cut();
  }
  return cuts;
}

async function stateOf(client: Writer): Promise<{ readonly [name: string]: SeenObject }> {
  const { body } = await client.send('GET', '/api/v1/configmaps');
  const items = body['items'] as JsonObject[]; // lists have items
  return Object.fromEntries(items.map((item) => seenObject(item)));
}
