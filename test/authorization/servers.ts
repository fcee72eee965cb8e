import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configDefaults, type ServerConfig } from '../../src/server/config.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { startReference } from '../reference-server.ts';
import { startTestServer } from '../server-fixture.ts';
import type { Servers } from './comparison.ts';
import { TokenClient } from './token-client.ts';

export interface ServersOptions {
  /** Lines of a static token file. */
  readonly tokens: string;
  readonly flags?: readonly string[];
  readonly config: Partial<ServerConfig>;
}

/** kube-apiserver and Binnacle with the same tokens. They stop with `opened`. */
export async function startServers(opened: AsyncDisposableStack, options: ServersOptions): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-authorization-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const tokenAuthFile = join(folder, 'tokens.csv');
  writeFileSync(tokenAuthFile, options.tokens);
  const etcd = opened.use(await EtcdProcess.start());
  const flags = [`--token-auth-file=${tokenAuthFile}`, ...(options.flags ?? [])];
  const theirs = opened.use(await startReference(etcd.url, flags));
  const authentication = { ...configDefaults.authentication, tokenAuthFile };
  const config = { authentication, ...options.config };
  const ours = opened.use(await startTestServer({}, { inMemory: true }, { config: { ...config, controllers: [] } }));
  return {
    reference: opened.use(new TokenClient(theirs.url)),
    binnacle: opened.use(new TokenClient(ours.url)),
  };
}

/** Resolves when a server has its bootstrap roles, bindings and namespaces. */
export async function bootstrapped(client: TokenClient): Promise<void> {
  const readyz = { method: 'GET', path: '/readyz', token: 'tok-root' };
  for (let left = 100; (await client.send(readyz)).code !== 200 && left > 0; left -= 1) await sleep(50);
}
