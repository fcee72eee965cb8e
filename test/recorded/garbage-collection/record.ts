import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostFlags } from '../../aggregation/behind-reference.ts';
import { ApiClient } from '../../api-client.ts';
import { EtcdProcess } from '../../etcd-process.ts';
import { instancesOf, Stage, type States, stepsOf } from './play.ts';
import { serverBehind } from './server-behind.ts';
import { readWays, seeds, writeRuns } from './recorded-states.ts';
import { startControllerManager } from '../../controllers/controller-manager.ts';
import { startReference } from '../../reference-server.ts';

// Has kube-controller-manager collect the graphs that `end-states.test.ts` replays without it, and keeps what
// remains of them. What remains of some depends on who is first; so it is done several times, with one worker and with
// many. With `--aggregated`, the custom kinds are those of a server behind kube-apiserver, and what differs from the
// recording is printed.

/** For so long nothing must change. */
const quietMs = 6000;
const workers = [1, 20, 100];

if (process.argv.includes('--aggregated')) await compareAggregated();
else await record();

async function record(): Promise<void> {
  const runs: (readonly States[])[] = [];
  for (const count of workers) {
    runs.push(await collected(count, { isAggregated: false }));
    writeRuns(runs);
  }
}

/** With the custom kinds on another server, the same is to remain. */
async function compareAggregated(): Promise<void> {
  const ways = readWays();
  for (const count of workers) {
    const phases = await collected(count, { isAggregated: true });
    const names = [...(phases[0]?.keys() ?? [])];
    const others = names.filter((name) => {
      const now = phases.map((states) => states.get(name) ?? '').join('#');
      return !(ways.get(name) ?? []).some((way) => way.join('#') === now);
    });
    process.stdout.write(`${count} workers: ${others.length} of ${names.length} differ ${others.join(' ')}\n`);
  }
}

async function collected(
  count: number,
  { isAggregated }: { readonly isAggregated: boolean },
): Promise<readonly States[]> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-collection-'));
  opened.defer(() => rm(folder, { recursive: true }));
  const etcd = opened.use(await EtcdProcess.start());
  const reference = opened.use(await startReference(etcd.url, isAggregated ? await hostFlags(folder) : []));
  const client = opened.use(await ApiClient.connect(reference));
  const stage = new Stage(client, instancesOf(seeds));
  await stage.prepare(isAggregated ? await serverBehind(client, reference, opened) : undefined);
  const flags = [`--concurrent-gc-syncs=${count}`, '--kube-api-qps=5000', '--kube-api-burst=10000'];
  opened.use(startControllerManager(reference, { controllers: ['garbage-collector-controller'], flags }));
  const phases: States[] = [];
  for (const step of stepsOf(stage.instances)) {
    await step(stage);
    phases.push(await settled(stage));
  }
  return phases;
}

async function settled(stage: Stage): Promise<States> {
  let states = await stage.states();
  for (let sinceMs = performance.now(); performance.now() - sinceMs < quietMs;) {
    await sleep(1000);
    const next = await stage.states();
    if (![...next].every(([name, state]) => states.get(name) === state)) sinceMs = performance.now();
    states = next;
  }
  const objects = [...states.values()].reduce((sum, state) => sum + (state === '' ? 0 : state.split('\n').length), 0);
  process.stdout.write(`settled with ${objects} objects\n`);
  return states;
}
