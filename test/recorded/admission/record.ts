// Plays suites against a reference server and keeps its answers: node test/record.ts admission [SUITE ...]
// Starts the reference's programs itself; kube-controller-manager must be beside them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Player } from '../differential/player.ts';
import { writeRecording } from '../differential/recording.ts';
import { EtcdProcess } from '../../etcd-process.ts';
import { type ReferenceServer, startReference } from '../../reference-server.ts';
import type { Suite } from './suite.ts';
import { suites } from './suites.ts';

/** Plugins of the reference hear of changes a little later than clients do. */
const pauseMs = 60;
const programs = process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference');

const names = process.argv.slice(2);
for (const suite of suites.filter(({ scenario }) => names.length === 0 || names.includes(scenario.name))) {
  await record(suite);
}

async function record({ scenario, flags, controllers = [] }: Suite): Promise<void> {
  await using etcd = await EtcdProcess.start();
  await using reference = await startReference(etcd.url, ['--allow-privileged', ...flags]);
  await using stack = new AsyncDisposableStack();
  if (controllers.length > 0) {
    const manager = startManager(reference, controllers);
    stack.defer(async () => {
      manager.kill('SIGKILL');
      await once(manager, 'exit');
    });
  }
  using player = await Player.connect(reference);
  const answers = await player.play(scenario, () => sleep(pauseMs));
  writeRecording(scenario.name, answers, 'admission');
  process.stdout.write(`${scenario.name}: ${answers.size}\n`);
}

function startManager(
  { kubeconfigPath, accountKeyFile }: ReferenceServer,
  controllers: readonly string[],
): ChildProcess {
  return spawn(
    join(programs, 'kube-controller-manager'),
    [
      `--kubeconfig=${kubeconfigPath}`,
      `--controllers=${controllers.join(',')}`,
      `--service-account-private-key-file=${accountKeyFile}`,
      `--root-ca-file=${join(dirname(kubeconfigPath), 'ca.crt')}`,
      '--use-service-account-credentials=false',
      '--leader-elect=false',
      '--secure-port=0',
      '--concurrent-resource-quota-syncs=5',
    ],
    { stdio: 'ignore' },
  );
}
