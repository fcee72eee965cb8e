import { setTimeout as sleep } from 'node:timers/promises';
import { changeDefinition, define } from './changing-definition.ts';
import { Client, type Workload } from './client.ts';
import { checkRun } from './check/check-run.ts';
import { isWrite } from './check/check-writes.ts';
import type { Violation } from './check/violation.ts';
import { deploy, type Deployment, type DeploymentKind } from './deployment.ts';
import { carryOut, type FaultTarget, type PlannedFault, planFaults } from './faults.ts';
import { namespace, subjects } from './objects.ts';
import { Random } from './random.ts';
import type { Operation, RecordedRun, WatchSelection } from './recorded.ts';
import type { TransportName } from './watch-transports.ts';
import { Watcher } from './watcher.ts';

interface Amounts {
  readonly requests?: number;
  /** Acknowledged writes. */
  readonly writes?: number;
  /** How often the definition of the custom objects changes. */
  readonly definitionChanges?: number;
}

export interface Scenario {
  readonly seed: number;
  readonly deployment: DeploymentKind;
  /** What clients work on. */
  readonly subject: keyof typeof subjects;
  readonly durationMs: number;
  /** On a slow machine the run is extended until this much has been done, within limits. */
  readonly atLeast?: Amounts;
  /** Time limit for the last events after all faults have ended. */
  readonly finishMs: number;
  /** Faults determined by the seed for the whole run, or these. */
  readonly faults: 'seeded' | readonly PlannedFault[];
  /** Path of `binnacle.js` in the bundle under test. */
  readonly launcher: string;
}

export interface Report {
  readonly run: RecordedRun;
  readonly faults: readonly PlannedFault[];
  readonly violations: readonly Violation[];
  /** How often the definition of the objects has changed. */
  readonly definitionChanges: number;
  /** How many threads have died and have been replaced. */
  readonly threadDeaths: number;
}

const names = ['a', 'b', 'c', 'd', 'e'];
const clientCount = 6;
const maxExtraMs = 60_000;
const watches: readonly { readonly selection: WatchSelection; readonly transport: TransportName }[] = [
  { selection: {}, transport: 'http2' },
  { selection: {}, transport: 'http1' },
  { selection: { side: 'left' }, transport: 'websocket' },
  { selection: { side: 'right' }, transport: 'http2' },
  { selection: { name: 'a' }, transport: 'http1' },
  { selection: { name: 'c' }, transport: 'websocket' },
];

/**
 * Runs clients, watches and faults for a while; then ends all faults, waits until the last writes reach every watch,
 * and checks the recorded run.
 */
export async function runScenario(scenario: Scenario): Promise<Report> {
  const random = new Random(scenario.seed);
  await using deployment = await deploy(scenario.deployment, scenario.launcher);
  const subject = subjects[scenario.subject];
  const workload: Workload = {
    subject,
    names,
    operations: [],
    seen: new Map(),
    replaced: new Map(),
    seenRevision: 0,
  };
  const clients = Array.from({ length: clientCount }, (_, index) => {
    return new Client(`client-${index}`, serverOf(deployment, index), random.fork(), workload);
  });
  const watchers = watches.map((watch, index) => {
    const options = { ...watch, random: random.fork(), workload };
    return new Watcher(`watcher-${index}-${watch.transport}`, serverOf(deployment, index), options);
  });
  await createNamespace(clients);
  const isCustom = scenario.subject === 'custom';
  if (isCustom) await define(await Promise.all(clients.map(async (client) => (await client.connected()).client)));
  const targets = [...deployment.targets, disconnections([...clients, ...watchers])];
  const faults =
    scenario.faults === 'seeded' ? planFaults(targets, { durationMs: scenario.durationMs, random }) : scenario.faults;

  const stop = new AbortController();
  const watching = watchers.map((watcher) => watcher.run());
  const working = clients.map((client) => client.run(stop.signal));
  let definitionChanges = 0;
  const countChange = (): void => void (definitionChanges += 1);
  const changing = isCustom
    ? changeDefinition(serverOf(deployment, 0), random.fork(), stop.signal, countChange)
    : undefined;
  await Promise.all([carryOut(faults, targets), sleep(scenario.durationMs)]);
  const patienceMs = performance.now() + maxExtraMs;
  const atLeast = { requests: 0, writes: 0, definitionChanges: 0, ...scenario.atLeast };
  const isEnough = (): boolean =>
    workload.operations.length >= atLeast.requests &&
    definitionChanges >= atLeast.definitionChanges &&
    workload.operations.filter(isAcknowledged).length >= atLeast.writes;
  while (!isEnough() && performance.now() < patienceMs) await sleep(50);
  stop.abort();
  await Promise.all([...working, changing]);
  const stuck = await leaveAll(clients, watchers, scenario.finishMs);
  await Promise.all(watching);
  for (const client of clients) client.drop();

  const deaths = deployment.servers.flatMap((server) => server.deaths);
  const changes = await deployment.readChanges();
  const run = { operations: workload.operations, watches: watchers.flatMap(({ sessions }) => sessions), changes };
  const died = deaths.map((detail) => ({ kind: 'server-died', detail }) as const);
  const threadDeaths = deployment.servers.reduce((sum, server) => sum + server.threadDeaths, 0);
  return { run, faults, definitionChanges, threadDeaths, violations: [...died, ...stuck, ...checkRun(run)] };
}

function isAcknowledged(operation: Operation): boolean {
  return isWrite(operation) && ['object', 'deleted'].includes(operation.outcome.kind);
}

/** Distributes clients over several servers. */
function serverOf({ servers }: Deployment, index: number): Deployment['servers'][number] {
  const server = servers[index % servers.length];
  if (server === undefined) throw new Error('a deployment without servers');
  return server;
}

async function createNamespace([client]: readonly Client[]): Promise<void> {
  const { client: api } = (await client?.connected()) ?? {};
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const answer = await api?.send('POST', '/api/v1/namespaces', { body });
  if (answer?.code !== 201) throw new Error(`no namespace: ${JSON.stringify(answer?.body)}`);
}

/** The last writes; every watch must see those that it selects. */
async function leaveAll(
  [client]: readonly Client[],
  watchers: readonly Watcher[],
  finishMs: number,
): Promise<readonly Violation[]> {
  const revisions = (await client?.leaveAll(performance.now() + finishMs)) ?? new Map<string, number>();
  const last = Math.max(0, ...revisions.values());
  for (const watcher of watchers) watcher.finish(revisions.get(watcher.selection.name ?? '') ?? last, finishMs);
  const stuck = names.filter((name) => !revisions.has(name));
  return stuck.map((name) => ({ kind: 'stuck', detail: `${name} could not be written although all faults were over` }));
}

function disconnections(all: readonly { drop(): void }[]): FaultTarget {
  return {
    name: 'clients',
    faults: ['disconnect'],
    begin() {
      for (const one of all) one.drop();
      return Promise.resolve();
    },
    heal: () => Promise.resolve(),
  };
}
