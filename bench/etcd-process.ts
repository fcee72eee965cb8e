import { join } from 'node:path';
import { freePort } from '../test/free-port.ts';
import { ServerProcess } from './server-process.ts';

export interface StartedEtcd {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

/** An etcd of one member with its defaults. Whoever uses it waits until it answers. */
export async function startEtcd(programs: string, dataDir: string): Promise<StartedEtcd> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const etcd = new ServerProcess({
    file: join(programs, 'etcd'),
    args: [
      '--data-dir',
      join(dataDir, 'etcd'),
      '--log-level',
      'warn',
      '--listen-client-urls',
      client,
      '--advertise-client-urls',
      client,
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `default=${peer}`,
    ],
    logFile: join(dataDir, 'etcd.log'),
  });
  return { pid: etcd.pid, url: client, stop: () => etcd.stop() };
}
