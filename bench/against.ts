import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Alternation, median, type Pair, pairsOf, settle, type Turn } from './alternation.ts';
import { binnacle, ownCheckout } from './binnacle.ts';
import type { Comparison } from './comparison.ts';
import { countsInstructions, instructionsDuring } from './instructions.ts';
import type { RequestJob } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Row } from './rows/row.ts';
import { Session } from './session.ts';
import type { Target } from './target.ts';

/** Pods that each server has before the rows run. */
export const podsAgainst = 500;

/** Another checkout, `one`, and this one, `other`. */
export interface BothServers {
  readonly targets: { readonly one: Target; readonly other: Target };
  readonly dataDir: string;
  /** Requests that are sent first, for V8 to compile what they run. */
  readonly settle: number;
  /** Two servers with pods, which all rows share. */
  sessions(): Promise<{ readonly one: Session; readonly other: Session }>;
}

interface AgainstOptions {
  /** The folder of the other checkout, built. */
  readonly checkout: string;
  readonly rows: readonly Row[];
  readonly options: BenchOptions;
  readonly report: (comparison: Comparison) => void;
}

/**
 * This checkout and another one: their servers take turns, so that a machine whose speed changes favours neither.
 */
export async function measureAgainst({ checkout, rows, options, report }: AgainstOptions): Promise<void> {
  const targets = {
    one: binnacle(options.nodeArguments, [], resolve(checkout)),
    other: binnacle(options.nodeArguments, options.flags, ownCheckout),
  };
  await using opened = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  opened.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const open = async (side: 'one' | 'other', folder: string): Promise<Session> => {
    const session = opened.use(new Session(await targets[side].start(join(dataDir, folder)), podsAgainst));
    await session.createPods();
    return session;
  };
  let sessions: { readonly one: Session; readonly other: Session } | undefined;
  const both: BothServers = {
    targets,
    dataDir,
    settle: options.settle,
    sessions: async () => (sessions ??= { one: await open('one', 'there'), other: await open('other', 'here') }),
  };
  for (const { against } of rows) for (const comparison of (await against?.(both)) ?? []) report(comparison);
}

/** Turns of requests to both servers; without an alternation, as requests to single objects need it. */
export function alternating(
  what: string,
  turn: (session: Session) => Promise<Turn>,
  alternation?: Alternation,
): NonNullable<Row['against']> {
  return async (both) => {
    const { one, other } = await both.sessions();
    const turns = { one: await turn(one), other: await turn(other) };
    return [await compare(what, turns, alternation ?? { warmUp: both.settle, pairs: 60 })];
  };
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

/** One request again and again, numbered on from the pods that there are. */
export function repeated(session: Session, job: Omit<RequestJob, 'kind' | 'from' | 'count'>): Turn {
  let from = podsAgainst;
  return {
    pids: session.target.pids,
    send: async (count) => {
      await session.load({ kind: 'requests', ...job, from, count });
      from += count;
    },
  };
}
