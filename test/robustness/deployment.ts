import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess, freePort } from '../etcd-process.ts';
import type { Fault, FaultTarget } from './faults.ts';
import { Link } from './link.ts';
import type { StoredChange } from './recorded.ts';
import { ServerProcess } from './server-process.ts';
import { embeddedChanges, etcdChanges } from './stored-changes.ts';

/**
 * | deployment | |
 * |---|---|
 * | embedded | one server on its embedded store |
 * | etcd | one server on etcd, over a link of its own |
 * | pair | two servers on one etcd, each over its own link |
 */
export const deploymentKinds = ['embedded', 'etcd', 'pair'] as const;
export type DeploymentKind = (typeof deploymentKinds)[number];

/** Servers and their store, with all that may befall them. */
export interface Deployment extends AsyncDisposable {
  readonly servers: readonly ServerProcess[];
  readonly targets: readonly FaultTarget[];
  /** Ends the servers and reads from the store itself what it has kept. */
  readChanges(): Promise<readonly StoredChange[]>;
}

export async function deploy(kind: DeploymentKind, launcher: string): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-robustness-'));
  const etcd = kind === 'embedded' ? undefined : await EtcdProcess.start();
  const names = kind === 'pair' ? ['0', '1'] : ['0'];
  const links: Link[] = [];
  const servers: ServerProcess[] = [];
  for (const name of names) {
    const args = ['--request-timeout', '10s'];
    if (etcd !== undefined) {
      const link = await Link.open(`link-${name}`, etcd.url);
      links.push(link);
      args.push('--etcd-servers', link.url);
    }
    const dataDir = join(folder, name);
    servers.push(new ServerProcess({ name: `server-${name}`, launcher, dataDir, port: await freePort(), args }));
  }
  const end = (): Promise<unknown> => Promise.all(servers.map((server) => server.end('SIGKILL')));
  await Promise.all(servers.map((server) => server.start()));
  return {
    servers,
    targets: [...servers, ...links, ...(etcd === undefined ? [] : [etcdTarget(etcd)])],
    async readChanges() {
      await end();
      return etcd === undefined ? embeddedChanges(join(folder, '0')) : etcdChanges(etcd.url);
    },
    async [Symbol.asyncDispose]() {
      await end();
      for (const link of links) await link[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function etcdTarget(etcd: EtcdProcess): FaultTarget {
  return {
    name: 'etcd',
    faults: ['kill', 'pause'],
    async begin(fault: Fault) {
      if (fault === 'pause') etcd.pause();
      else await etcd.kill();
    },
    async heal(fault: Fault) {
      if (fault === 'pause') etcd.resume();
      else await etcd.run();
    },
  };
}
