import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess, freePort } from '../etcd-process.ts';
import type { Fault, FaultTarget } from './faults.ts';
import type { StoredChange } from './recorded.ts';
import { ServerProcess } from './server-process.ts';
import { embeddedChanges, etcdChanges } from './stored-changes.ts';

/**
 * | deployment | |
 * |---|---|
 * | embedded | one server on its embedded store |
 * | etcd | one server on etcd |
 * | pair | two servers on one etcd |
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
  const args = ['--request-timeout', '10s', ...(etcd === undefined ? [] : ['--etcd-servers', etcd.url])];
  const ports = await Promise.all(kind === 'pair' ? [freePort(), freePort()] : [freePort()]);
  const servers = ports.map((port, index) => {
    const name = `server-${index}`;
    return new ServerProcess({ name, launcher, dataDir: join(folder, name), port, args });
  });
  const end = (): Promise<unknown> => Promise.all(servers.map((server) => server.end('SIGKILL')));
  await Promise.all(servers.map((server) => server.start()));
  return {
    servers,
    targets: [...servers, ...(etcd === undefined ? [] : [etcdTarget(etcd)])],
    async readChanges() {
      await end();
      return etcd === undefined ? embeddedChanges(join(folder, 'server-0')) : etcdChanges(etcd.url);
    },
    async [Symbol.asyncDispose]() {
      await end();
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
