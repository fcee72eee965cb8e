import { mkdirSync } from 'node:fs';
import { binnacle } from './binnacle.ts';
import { startEtcd } from './etcd-process.ts';
import type { Target } from './target.ts';

/** Binnacle with an etcd of its own, whose program is in the folder `programs`. */
export function binnacleOnEtcd(
  programs: string,
  nodeArguments: readonly string[],
  flags: readonly string[] = [],
): Target {
  return {
    name: 'Binnacle on etcd',
    async start(dataDir, cluster) {
      mkdirSync(dataDir, { recursive: true });
      const etcd = await startEtcd(programs, dataDir);
      const withStore = [`--etcd-servers=${etcd.url}`, ...flags];
      const server = await binnacle(nodeArguments, withStore).start(dataDir, cluster);
      return {
        ...server,
        pids: [...server.pids, etcd.pid],
        etcdPid: etcd.pid,
        async stop() {
          await server.stop();
          await etcd.stop();
        },
      };
    },
  };
}
