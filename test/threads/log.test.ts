import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { launcher } from '../release-form.ts';

const rounds = 30;
const connections = 12;

/** The log of a server of three threads that is asked over connections of all of them. */
async function logOf(...flags: readonly string[]): Promise<readonly string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-threads-log-'));
  const address = [`--data-dir=${dataDir}`, '--bind-address=127.0.0.1', '--secure-port=0'];
  const args = [launcher, 'serve', ...address, '--api-threads=3', '-v=3', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const log = text(child.stderr);
    const [said] = (await once(child.stdout, 'data')) as [Buffer]; // what it prints when it serves
    const url = /https:\S+/.exec(said.toString())?.[0] ?? '';
    const server = { url, kubeconfigPath: join(dataDir, 'admin.kubeconfig') };
    const clients = await Promise.all(Array.from({ length: connections }, () => ApiClient.connect(server)));
    const ask = async (client: ApiClient): Promise<void> => {
      for (let round = 0; round < rounds; round += 1)
        // oxlint-disable-next-line no-await-in-loop -- at the pace of the server
        await client.send('GET', `/api/v1/namespaces/default/configmaps?limit=1&round=${round}`);
    };
    await Promise.all(clients.map(ask));
    for (const client of clients) client[Symbol.dispose]();
    child.kill('SIGTERM');
    await once(child, 'exit');
    return (await log).split('\n').filter((line) => line.includes('&round='));
  } finally {
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
}

test.each([
  ['text', [], /^I\d{4} (\S+)/],
  ['JSON', ['--logging-format=json'], /"ts":([\d.]+)/],
] as const)(
  'as %s, the lines of all threads are there, in order of time',
  { timeout: 120_000 },
  async (_, flags, time) => {
    const lines = await logOf(...flags);
    expect(lines).toHaveLength(rounds * connections);
    const times = lines.map((line) => time.exec(line)?.[1] ?? '');
    expect(times).toEqual(times.toSorted());
  },
);
