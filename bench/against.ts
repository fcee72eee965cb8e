import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Alternation, median, type Pair, pairsOf, settle, type Turn } from './alternation.ts';
import { binnacle, ownCheckout } from './binnacle.ts';
import { compareStarts } from './against-starts.ts';
import type { Comparison } from './comparison.ts';
import { countsInstructions, instructionsDuring } from './instructions.ts';
import type { RequestJob } from './load.ts';
import { podsPath } from './pod.ts';
import { concurrency, requestCases } from './rows/requests.ts';
import { currentRevision, touches } from './rows/watch.ts';
import { Session } from './session.ts';

const pods = 500;
const watchers = 500;

interface AgainstOptions {
  /** The folder of the other checkout, built. */
  readonly checkout: string;
  readonly nodeArguments: readonly string[];
  /** Of this checkout's server only, for what the other lacks. */
  readonly flags: readonly string[];
  readonly isWanted: (row: string) => boolean;
  /** Requests that are sent first, for V8 to compile what they run. */
  readonly settle: number;
  readonly report: (comparison: Comparison) => void;
}

interface AgainstRow {
  readonly row: string;
  readonly what: string;
  /** Absent: that of requests to single objects. */
  readonly alternation?: Alternation;
  readonly turn: (session: Session) => Promise<Turn>;
}

/**
 * This checkout and another one: their servers take turns, so that a machine whose speed changes favours neither.
 */
export async function measureAgainst(options: AgainstOptions): Promise<void> {
  const other = resolve(options.checkout);
  const targets = {
    one: binnacle(options.nodeArguments, [], other),
    other: binnacle(options.nodeArguments, options.flags, ownCheckout),
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  try {
    if (options.isWanted('start')) for (const figure of await compareStarts(targets, dataDir)) options.report(figure);
    const wanted = rows.filter(({ row }) => options.isWanted(row));
    if (wanted.length === 0) return;
    await using one = new Session(await targets.one.start(join(dataDir, 'there')), pods);
    await using own = new Session(await targets.other.start(join(dataDir, 'here')), pods);
    for (const session of [one, own]) await session.createPods();
    const usual: Alternation = { warmUp: options.settle, pairs: 60 };
    for (const { what, alternation = usual, turn } of wanted) {
      options.report(await compare(what, { one: await turn(one), other: await turn(own) }, alternation));
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function compare(
  name: string,
  turns: { readonly one: Turn; readonly other: Turn },
  alternation: Alternation,
): Promise<Comparison> {
  await settle(turns, alternation);
  let pairs: readonly Pair[] = [];
  const measure = async (): Promise<void> => {
    pairs = await pairsOf(turns, alternation);
  };
  const pids = [turns.one, turns.other].flatMap((turn) => turn.pids);
  const [there, here] = countsInstructions() ? await instructionsDuring(pids, measure) : [await measure()];
  const comparison = comparisonOf(name, pairs);
  return there === undefined || here === undefined ? comparison : { ...comparison, instructions: here / there };
}

function comparisonOf(name: string, pairs: readonly Pair[]): Comparison {
  const main = (side: keyof Pair): readonly number[] => pairs.map((pair) => pair[side].mainUs);
  const others = (side: keyof Pair): number => median(pairs.map((pair) => pair[side].othersUs));
  return {
    name,
    unit: 'us',
    there: median(main('one')),
    here: median(main('other')),
    ratioOfMinima: Math.min(...main('other')) / Math.min(...main('one')),
    others: { there: others('one'), here: others('other') },
  };
}

function repeated(session: Session, job: Omit<RequestJob, 'kind' | 'from' | 'count'>): Turn {
  let from = pods;
  return {
    pids: session.target.pids,
    send: async (count) => {
      await session.load({ kind: 'requests', ...job, from, count });
      from += count;
    },
  };
}

const createRow: AgainstRow = {
  row: 'create',
  what: 'create pod',
  turn: async (session) =>
    repeated(session, {
      method: 'POST',
      path: podsPath,
      body: await session.podBody(),
      names: Number.MAX_SAFE_INTEGER,
      concurrency,
    }),
};

const deleteRow: AgainstRow = {
  row: 'delete',
  what: 'delete pod',
  turn: async (session) => {
    const names = Number.MAX_SAFE_INTEGER;
    const create = repeated(session, {
      method: 'POST',
      path: podsPath,
      body: await session.podBody(),
      names,
      concurrency,
    });
    const path = `${podsPath}/{name}?gracePeriodSeconds=0`;
    return { ...repeated(session, { method: 'DELETE', path, names, concurrency }), prepare: create.send };
  },
};

const lists: readonly AgainstRow[] = [
  { row: 'list', what: `list of ${pods} pods`, path: `${podsPath}?resourceVersion=0` },
  { row: 'list-pages', what: 'page of 100 pods', path: `${podsPath}?limit=100` },
].map(({ row, what, path }) => ({
  row,
  what,
  alternation: { warmUp: 1000, pairs: 60, requests: 20 },
  turn: async (session) => repeated(session, { method: 'GET', path, names: 1, concurrency: 1 }),
}));

const watchRow: AgainstRow = {
  row: 'watch',
  what: `merge patch of a pod with ${watchers} watchers`,
  alternation: { warmUp: 400, pairs: 40, requests: 20 },
  async turn(session) {
    const path = `${podsPath}?watch=true&resourceVersion=${await currentRevision(session)}`;
    await session.load({ kind: 'watch', path, watchers });
    let changes = 0;
    return {
      pids: session.target.pids,
      send: async (count) => {
        await session.requests(touches(session, changes, count));
        changes += count;
        await session.load({ kind: 'delivered', events: changes * watchers });
      },
    };
  },
};

const rows: readonly AgainstRow[] = [
  ...requestCases.map(({ row, what, request }) => ({
    row,
    what,
    turn: async (session: Session) => repeated(session, { ...(await request(session)), names: pods, concurrency }),
  })),
  ...lists,
  deleteRow,
  createRow,
  watchRow,
];
