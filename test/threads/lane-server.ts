import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { launcher } from '../release-form.ts';
import { ServerProcess, type ServerProcessOptions } from '../robustness/server-process.ts';

export interface LaneServer extends AsyncDisposable {
  readonly process: ServerProcess;
}

/** A server of the built release that may have one lane: its threads begin sooner than those of the sources. */
export async function startLaneServer({
  args = [],
  nodeArgs = [],
}: Partial<Pick<ServerProcessOptions, 'args' | 'nodeArgs'>> = {}): Promise<LaneServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-lanes-'));
  const port = await freePort();
  const own = ['--large-request-lanes=1', ...args];
  const server = new ServerProcess({ name: 'server', launcher, dataDir, port, args: own, nodeArgs });
  await server.start();
  return {
    process: server,
    async [Symbol.asyncDispose]() {
      await server.end('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
