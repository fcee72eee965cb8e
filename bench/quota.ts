import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binnacle } from './binnacle.ts';
import { inOrder, median } from './alternation.ts';
import { podText } from './pod.ts';
import { exactCpuUs } from './process-usage.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import { Session } from './session.ts';

const rounds = 16;
const warmUp = 1_000;
const namespaces = '/api/v1/namespaces';
const many = '1000000';

/** Alone is one request at a time. */
const loads = [
  { name: 'alone', concurrency: 1, requestsOfRound: 300 },
  { name: '32 at once', concurrency: 32, requestsOfRound: 800 },
] as const;

const kinds = [
  {
    name: 'ConfigMap',
    plural: 'configmaps',
    body: JSON.stringify({ metadata: { name: 'bench-{number}' }, data: { a: 'b' } }),
    hard: { 'count/configmaps': many },
  },
  {
    name: 'pod',
    plural: 'pods',
    body: freePod('bench-{number}'),
    hard: { pods: many, 'requests.cpu': many, 'requests.memory': `${many}Gi` },
  },
] as const;

/** A pod without a node or an owner: those that do not exist make controllers delete it while others are measured. */
function freePod(name: string): string {
  const { metadata, spec, ...pod } = JSON.parse(podText(name, 0)) as {
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly spec: Readonly<Record<string, unknown>>;
  };
  const free = { ...metadata, namespace: undefined, ownerReferences: undefined };
  return JSON.stringify({ ...pod, metadata: free, spec: { ...spec, nodeName: undefined } });
}

/**
 * What one quota adds to a create: two namespaces of one server take turns, one of which has a quota. The figures are
 * medians of the differences between turns next to each other, and include the controller that follows the objects.
 */
export async function measureQuota(nodeArguments: readonly string[]): Promise<TargetReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  const figures: Figure[] = [];
  try {
    await using admin = new Session(await binnacle(nodeArguments).start(dataDir), 0);
    await admin.namespaceExists();
    for (const kind of kinds) {
      const places = { free: `${kind.plural}-free`, limited: `${kind.plural}-limited` };
      for (const name of Object.values(places)) await make(admin, namespaces, { metadata: { name } });
      const quota = { metadata: { name: 'bench' }, spec: { hard: kind.hard } };
      await make(admin, `${namespaces}/${places.limited}/resourcequotas`, quota);
      for (const load of loads) figures.push(...(await compare(admin, { kind, places, load })));
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { target: 'Binnacle', figures };
}

interface Comparison {
  readonly kind: (typeof kinds)[number];
  readonly places: { readonly free: string; readonly limited: string };
  readonly load: (typeof loads)[number];
}

let made = 0;

async function compare(admin: Session, { kind, places, load }: Comparison): Promise<readonly Figure[]> {
  const used = async (namespace: string, count: number = load.requestsOfRound): Promise<number> => {
    const path = `${namespaces}/${namespace}/${kind.plural}`;
    const { body } = kind;
    const { concurrency } = load;
    const beforeUs = exactCpuUs(admin.target.pids);
    await admin.load({ kind: 'requests', method: 'POST', path, body, from: made, count, names: 1, concurrency });
    made += count;
    return (exactCpuUs(admin.target.pids) - beforeUs) / count;
  };
  for (const namespace of Object.values(places)) await used(namespace, warmUp);
  const rows: { base: number; more: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The machine gets slower and faster: who is between two others is compared with both.
    const [before = 0, limited = 0, after = 0] = await inOrder([places.free, places.limited, places.free], used);
    rows.push({ base: (before + after) / 2, more: limited - (before + after) / 2 });
  }
  return [
    { name: `create of a ${kind.name}, ${load.name}`, unit: 'us', value: median(rows.map(({ base }) => base)) },
    { name: 'more in a namespace with a quota', unit: 'us', value: median(rows.map(({ more }) => more)) },
  ];
}

async function make(admin: Session, path: string, body: object): Promise<void> {
  const one = { from: 0, count: 1, names: 1, concurrency: 1 };
  await admin.requests({ method: 'POST', path, body: JSON.stringify(body), ...one });
}
