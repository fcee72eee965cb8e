import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternate, figuresOf, settledAfter, type Turn } from './alternation.ts';
import { binnacle } from './binnacle.ts';
import { podText } from './pod.ts';
import type { TargetReport } from './report.ts';
import type { Figure } from './rows/row.ts';
import { Session } from './session.ts';

const namespaces = '/api/v1/namespaces';
const many = '1000000';

/** Alone is one request at a time. */
const loads = [
  { name: '32 at once', concurrency: 32, alternation: { warmUp: settledAfter / 2, pairs: 30, requests: 400 } },
  { name: 'alone', concurrency: 1, alternation: { warmUp: 1_000, pairs: 30, requests: 200 } },
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
      for (const load of loads) {
        const without = turnOf(admin, kind, places.free, load);
        const added = turnOf(admin, kind, places.limited, load);
        const names = { base: `create of a ${kind.name}, ${load.name}`, added: 'added by a quota' };
        figures.push(...figuresOf(names, await alternate({ without, added }, load.alternation)));
      }
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { target: 'Binnacle', figures };
}

type Load = (typeof loads)[number];
type Kind = (typeof kinds)[number];

let made = 0;

function turnOf(admin: Session, { plural, body }: Kind, namespace: string, { concurrency }: Load): Turn {
  return {
    pids: admin.target.pids,
    send: async (count) => {
      const path = `${namespaces}/${namespace}/${plural}`;
      await admin.load({ kind: 'requests', method: 'POST', path, body, from: made, count, names: 1, concurrency });
      made += count;
    },
  };
}

async function make(admin: Session, path: string, body: object): Promise<void> {
  const one = { from: 0, count: 1, names: 1, concurrency: 1 };
  await admin.requests({ method: 'POST', path, body: JSON.stringify(body), ...one });
}
