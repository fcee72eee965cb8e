import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClusterClient } from '../cluster/cluster-client.ts';
import { makeClusterFolder, startComponents } from '../cluster/components.ts';
import { type Durations, durationsOf, durationsSince, latencyOf } from '../cluster/latencies.ts';
import { accountsExist, type ClusterSize, type Phase, phasesOf, prepare } from '../cluster/phases.ts';
import { cpuMs, rssMiB } from '../process-usage.ts';
import type { RunningTarget, Target } from '../target.ts';
import type { AddFigures, Figure, Row } from './row.ts';

const defaultPods = 2000;
/** Verbs of requests that are answered at once. */
const verbs = ['GET', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * A cluster with a controller manager, a scheduler and kwok beside the API server, all of them clients in protobuf: for
 * each phase how long it takes, the CPU time of the API server and its etcd, and their memory afterwards; for each verb
 * how long requests took, as the server itself tells.
 */
export const clusterRow: Row = {
  name: 'cluster',
  ofTarget: (target, { nodes, pods = defaultPods }, add) => measureCluster(target, { nodes, pods }, add),
};

async function measureCluster(target: Target, size: ClusterSize, add: AddFigures): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const cluster = makeClusterFolder(join(dataDir, 'cluster'));
  const running = await target.start(join(dataDir, 'server'), cluster);
  opened.defer(() => running.stop());
  await prepare(running.access);
  const components = await startComponents(running.access, cluster);
  opened.defer(() => components.stop());
  using client = new ClusterClient(running.access, () => components.check());
  await accountsExist(client);
  const beforehand = durationsOf(await client.text('/metrics'));
  const [componentsMs, sinceMs] = [cpuMs(components.pids), performance.now()];
  for (const phase of phasesOf(size)) add(await measurePhase(phase, client, running));
  const took = { durations: durationsSince(beforehand, durationsOf(await client.text('/metrics'))), sinceMs };
  add([
    { name: 'CPU of the other components', unit: 'ms', value: cpuMs(components.pids) - componentsMs },
    ...latencyFigures(took),
  ]);
}

async function measurePhase(
  { name, run }: Phase,
  client: ClusterClient,
  { pids, etcdPid }: RunningTarget,
): Promise<readonly Figure[]> {
  const etcd = etcdPid === undefined ? [] : [etcdPid];
  const before = { total: cpuMs(pids), etcd: cpuMs(etcd), at: performance.now() };
  await run(client);
  const elapsedMs = performance.now() - before.at;
  const figures: Figure[] = [
    { name, unit: 'ms', value: elapsedMs },
    { name: `${name}: CPU`, unit: 'ms', value: cpuMs(pids) - before.total },
    { name: `${name}: memory afterwards`, unit: 'MiB', value: rssMiB(pids) },
  ];
  if (etcd.length > 0) {
    figures.push({ name: `${name}: CPU, of that etcd`, unit: 'ms', value: cpuMs(etcd) - before.etcd });
    figures.push({ name: `${name}: memory afterwards, of that etcd`, unit: 'MiB', value: rssMiB(etcd) });
  }
  return figures;
}

/** The median is the value of each: a mean says little where some requests take a hundred times as long as others. */
function latencyFigures({ durations, sinceMs }: { readonly durations: Durations; readonly sinceMs: number }) {
  const seconds = (performance.now() - sinceMs) / 1000;
  return verbs.flatMap((verb): readonly Figure[] => {
    const latency = latencyOf(durations.get(verb) ?? new Map());
    if (latency.count === 0) return [];
    const [p50Ms, p99Ms] = [latency.quantileMs(0.5), latency.quantileMs(0.99)];
    const details = { perSecond: latency.count / seconds, p50Ms, p99Ms };
    return [{ name: `latency of ${verb}`, unit: 'ms', value: p50Ms, details }];
  });
}
