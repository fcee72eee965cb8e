import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EtcdProcess } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import type { Fault, FaultTarget } from './faults.ts';
import { Link } from './link.ts';
import type { StoredChange } from './recorded.ts';
import type { ThreadFault } from './thread-faults.ts';
import { ServerProcess, type ServerProcessOptions } from './server-process.ts';
import { EtcdHistory } from './etcd-history.ts';
import { embeddedChanges } from './stored-changes.ts';

/**
 * | deployment | |
 * |---|---|
 * | embedded | one server on its embedded store |
 * | threads | one server with three threads, on its embedded store |
 * | etcd | one server on etcd, over its own link |
 * | etcd-threads | one server with three threads, on etcd, over its own link |
 * | pair | two servers on one etcd, each over its own link |
 * | cluster | two servers on a three-member etcd, each over its own links |
 */
const shapes = {
  embedded: { servers: 1, members: 0, threads: 1 },
  threads: { servers: 1, members: 0, threads: 3 },
  etcd: { servers: 1, members: 1, threads: 1 },
  'etcd-threads': { servers: 1, members: 1, threads: 3 },
  pair: { servers: 2, members: 1, threads: 1 },
  cluster: { servers: 2, members: 3, threads: 1 },
} as const;

export type DeploymentKind = keyof typeof shapes;
// The keys are of the key type.
export const deploymentKinds = Object.keys(shapes) as readonly DeploymentKind[];

/** Servers and their store, with their fault targets. */
export interface Deployment extends AsyncDisposable {
  readonly servers: readonly ServerProcess[];
  readonly targets: readonly FaultTarget[];
  /** Stops the servers and reads the changes from the store itself. */
  readChanges(): Promise<readonly StoredChange[]>;
}

export async function deploy(kind: DeploymentKind, launcher: string): Promise<Deployment> {
  const shape = shapes[kind];
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-robustness-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const members = shape.members === 0 ? [] : await EtcdProcess.startCluster(shape.members);
  for (const member of members) stack.use(member);
  const history = new EtcdHistory(members.map(({ url }) => url));
  const servers: ServerProcess[] = [];
  const links: Link[] = [];
  for (let index = 0; index < shape.servers; index += 1) {
    const own = await Promise.all(
      members.map((member, at) => Link.open(linkName(index, at, members.length), member.url)),
    );
    for (const link of own) links.push(stack.use(link));
    const etcd = own.length === 0 ? [] : ['--etcd-servers', own.map(({ url }) => url).join(',')];
    const args = ['--request-timeout', '10s', ...etcd];
    const dataDir = join(folder, String(index));
    const options = { name: `server-${index}`, launcher, dataDir, port: await freePort(), args };
    const server = new ServerProcess({ ...options, ...(shape.threads > 1 ? inThreads(args, shape.threads) : {}) });
    stack.defer(() => server.end('SIGKILL'));
    servers.push(server);
  }
  await Promise.all(servers.map((server) => server.start()));
  const parts = stack.move();
  return {
    servers,
    targets: [
      ...servers,
      ...(shape.threads > 1 ? servers.map(threadsOf) : []),
      ...links,
      ...members.map(etcdTarget),
      ...(members.length === 0 ? [] : [compaction(history)]),
    ],
    async readChanges() {
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
      return members.length === 0 ? embeddedChanges(join(folder, '0')) : history.read();
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

function inThreads(args: readonly string[], threads: number): Pick<ServerProcessOptions, 'args' | 'nodeArgs'> {
  return {
    args: [...args, '--api-threads', String(threads)],
    nodeArgs: ['--import', join(import.meta.dirname, 'thread-faults.ts')],
  };
}

/** All threads of a server die that can. */
function threadsOf(server: ServerProcess): FaultTarget {
  return {
    name: `threads-of-${server.name}`,
    faults: ['throw'],
    async begin() {
      const fault: ThreadFault = { threads: 'api', fault: 'throw' };
      if (server.child?.connected === true) server.child.send?.(fault);
    },
    heal: () => Promise.resolve(),
  };
}

/** `link-1`, or `link-1-2` if a server has several. */
function linkName(server: number, member: number, members: number): string {
  return members === 1 ? `link-${server}` : `link-${server}-${member}`;
}

/** Compacts etcd after recording its history. */
function compaction(history: EtcdHistory): FaultTarget {
  return {
    name: 'history',
    faults: ['compact'],
    begin: () => history.compact(),
    heal: () => Promise.resolve(),
  };
}

function etcdTarget(etcd: EtcdProcess, index: number): FaultTarget {
  return {
    name: `etcd-${index}`,
    faults: ['kill', 'pause'],
    async begin(fault: Fault) {
      if (fault === 'pause') await etcd.pause();
      else await etcd.kill();
    },
    async heal(fault: Fault) {
      if (fault === 'pause') etcd.resume();
      else await etcd.run();
    },
  };
}
