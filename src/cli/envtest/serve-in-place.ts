import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer, ServerConfig } from '../../server/config.ts';
import { type AttachedPlace, attachToPlace } from './attach.ts';
import { removeLeftFiles, storeFolder } from './left-files.ts';
import { Parent } from './orphan.ts';

export interface ServeInPlaceOptions {
  readonly startServer: (config: ServerConfig) => Promise<RunningServer>;
  readonly stopRequested: () => Promise<void>;
  /** Called when the start is complete. */
  readonly settled: () => void;
  readonly environment: NodeJS.ProcessEnv;
}

/** Without etcd nothing can be stored; a test that kills both ends us within this time. */
const lingerMs = 2_000;

/**
 * The kube-apiserver of `binnacle envtest`: it keeps its store in the data directory of our etcd, for as long as that
 * runs, and uses a real etcd as it is. It ends with the process that has started it. Resolves when it has been stopped,
 * with `false` if it ends because etcd has.
 */
export async function serveInPlace(config: ServerConfig, options: ServeInPlaceOptions): Promise<boolean> {
  process.stderr.on('error', () => undefined); // the test may have been the reader of a pipe
  const { certDir } = config.serving;
  const left = certDir === undefined ? [] : [resolve(certDir)];
  const parent = new Parent(options.environment);
  parent.onEnd(() => leave(left));
  const stopped = options.stopRequested().then(() => true);
  const place = await placeOf(config);
  if (place !== undefined) left.push(place.dataDir);
  const gone = place?.gone.then(async () => {
    await Promise.race([stopped, delay(lingerMs)]);
    if (parent.hasEnded) leave(left);
    return false;
  });
  const ended = gone === undefined ? stopped : Promise.race([stopped, gone]);
  const server = await options.startServer(inPlace(config, place));
  void server.settled.then(options.settled);
  const isStopped = await ended;
  // Without etcd, requests could only fail.
  if (isStopped) await server.close();
  return isStopped;
}

async function placeOf({ storage, serving }: ServerConfig): Promise<AttachedPlace | undefined> {
  const [url, ...others] = storage.etcd.servers;
  return url === undefined || others.length > 0 ? undefined : attachToPlace(url, serving.certDir);
}

function inPlace(config: ServerConfig, place: AttachedPlace | undefined): ServerConfig {
  if (place === undefined) return config;
  const { storage } = config;
  return {
    ...config,
    dataDir: join(place.dataDir, storeFolder),
    storage: { ...storage, syncs: place.syncs, etcd: { ...storage.etcd, servers: [], overrides: [] } },
  };
}

/** Nobody is left to be served. */
function leave(left: readonly string[]): never {
  removeLeftFiles(left);
  process.exit(1);
}
