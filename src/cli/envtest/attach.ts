import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { certDirParameter, type EtcdPlace, placePath } from './place.ts';

/** The place of a store that a server keeps for as long as both run. */
export interface AttachedPlace extends EtcdPlace {
  /** Resolves when etcd has ended. */
  readonly gone: Promise<void>;
}

/** As long as kube-apiserver waits for an etcd that does not listen yet. */
const waitMs = 20_000;
const tryEveryMs = 50;

/** Undefined if there is a real etcd at this URL. Throws if nobody listens there. */
export async function attachToPlace(etcdUrl: string, certDir: string | undefined): Promise<AttachedPlace | undefined> {
  const url = new URL(placePath, etcdUrl);
  if (url.protocol !== 'http:') return undefined;
  if (certDir !== undefined) url.searchParams.set(certDirParameter, certDir);
  const response = await firstResponse(url);
  if (response === undefined) return undefined;
  if (response.statusCode !== 200) {
    response.destroy();
    return undefined;
  }
  const gone = new Promise<void>((resolve) => response.once('close', resolve));
  // Killed, etcd does not end its answer.
  response.on('error', () => undefined);
  const lines = createInterface({ input: response, terminal: false });
  const { value } = await lines[Symbol.asyncIterator]().next();
  return { ...(JSON.parse(String(value)) as EtcdPlace), gone }; // our etcd's
}

/** Undefined if what listens does not speak HTTP. */
async function firstResponse(url: URL): Promise<IncomingMessage | undefined> {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      return await responseOf(url);
    } catch (error) {
      if (!isRefused(error)) return undefined;
      if (performance.now() > untilMs) throw error;
    }
    // oxlint-disable-next-line no-await-in-loop -- nothing tells when another process begins to listen
    await delay(tryEveryMs);
  }
}

async function responseOf(url: URL): Promise<IncomingMessage> {
  const request = get(url, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}
