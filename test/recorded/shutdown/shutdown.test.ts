import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ServerProcess } from '../../durability/server-process.ts';
import { freePort } from '../../free-port.ts';
import { readFields } from '../recording.ts';
import { type Observations, observeStop, scenarios } from './play.ts';

// What clients of kube-apiserver saw in the same situations; recorded by `node test/record.ts shutdown`.
const recorded = readFields<Readonly<Record<string, Observations>>>('shutdown', 'observations');

test.concurrent.each(scenarios)('clients of a server that stops see the same: $name', async ({ name, flags }) => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-shutdown-'));
  const port = await freePort();
  const dataDir = join(folder, 'data');
  const server = await ServerProcess.start(dataDir, port, flags);
  try {
    const observed = await observeStop(
      {
        url: `https://127.0.0.1:${port}`,
        kubeconfigPath: join(dataDir, 'admin.kubeconfig'),
        signal: (signal) => server.signal(signal),
        ended: () => server.ended(),
      },
      folder,
    );
    expect(observed).toEqual(recorded[name]);
  } finally {
    // One that does not end must not outlive the test.
    server.signal('SIGKILL');
    await rm(folder, { recursive: true });
  }
});

test('a second signal ends it at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-shutdown-'));
  const server = await ServerProcess.start(join(folder, 'data'), await freePort(), ['--shutdown-delay-duration=1h']);
  server.signal('SIGTERM');
  const ended = server.ended();
  // Handled one after the other, if the process does not find both at once.
  while ((await Promise.race([ended, sleep(50)])) === undefined) server.signal('SIGINT');
  expect(await ended).toBe(1);
  await rm(folder, { recursive: true });
});
