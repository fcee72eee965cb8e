import { type ExactCpu, exactCpu } from './process-usage.ts';
import type { Figure } from './rows/row.ts';

// For figures that are differences between turns.

export async function inOrder<T, R>(items: readonly T[], use: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await use(item));
  return results;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** Requests to a server that are measured together. */
export interface Turn {
  readonly pids: readonly number[];
  readonly send: (requests: number) => Promise<void>;
  /** What as many requests need, done before they are measured. */
  readonly prepare?: (requests: number) => Promise<void>;
}

export interface Alternation {
  readonly warmUp: number;
  readonly pairs: number;
  /** In a turn; absent: 200. */
  readonly requests?: number;
}

/** CPU time per request in two turns next to each other. */
export interface Pair {
  readonly one: ExactCpu;
  readonly other: ExactCpu;
}

/** CPU time per request: of those without an addition, and what the addition costs. */
export interface Addition {
  readonly without: ExactCpu;
  readonly added: ExactCpu;
  /** Half of the width of the interval in which the median of the differences lies in 19 of 20 runs. */
  readonly errorUs: number;
}

/** Requests after which V8 has compiled most of what they use, so that they cost the same from then on. */
export const settledAfter = 20_000;

/** Long enough for the scheduler's clock, short enough that the machine is equally fast in turns next to each other. */
const requestsOfTurn = 200;

interface Turns {
  readonly one: Turn;
  readonly other: Turn;
}

export async function settle({ one, other }: Turns, { warmUp, requests = requestsOfTurn }: Alternation): Promise<void> {
  for (let sent = 0; sent < warmUp; sent += requests) {
    for (const turn of [one, other]) {
      await turn.prepare?.(requests);
      await turn.send(requests);
    }
  }
}

/** Two kinds of turns, in pairs that begin with either, so that nothing else that changes with time favours one. */
export async function pairsOf(
  { one, other }: Turns,
  { pairs, requests = requestsOfTurn }: Alternation,
): Promise<readonly Pair[]> {
  const measured: Pair[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const turns = pair % 2 === 0 ? [one, other] : [other, one];
    const [first, second] = await inOrder(turns, (turn) => used(turn, requests));
    if (first === undefined || second === undefined) throw new Error('a pair has two turns');
    measured.push(pair % 2 === 0 ? { one: first, other: second } : { one: second, other: first });
  }
  return measured;
}

export async function alternate(
  { without, added }: { readonly without: Turn; readonly added: Turn },
  alternation: Alternation,
): Promise<Addition> {
  const turns = { one: without, other: added };
  await settle(turns, alternation);
  const pairs = await pairsOf(turns, alternation);
  const more = pairs.map(({ one, other }) => ({
    mainUs: other.mainUs - one.mainUs,
    othersUs: other.othersUs - one.othersUs,
  }));
  return {
    without: medians(pairs.map(({ one }) => one)),
    added: medians(more),
    errorUs: medianError(more.map(({ mainUs }) => mainUs)),
  };
}

/** CPU time per request, where there is nothing to compare it with. */
export async function costOf(turn: Turn, { warmUp, turns }: { readonly warmUp: number; readonly turns: number }) {
  for (let sent = 0; sent < warmUp; sent += requestsOfTurn) await turn.send(requestsOfTurn);
  return medians(await inOrder(Array.from({ length: turns }), () => used(turn, requestsOfTurn)));
}

async function used({ pids, send, prepare }: Turn, requests: number): Promise<ExactCpu> {
  await prepare?.(requests);
  const before = exactCpu(pids);
  await send(requests);
  const after = exactCpu(pids);
  return {
    mainUs: (after.mainUs - before.mainUs) / requests,
    othersUs: (after.othersUs - before.othersUs) / requests,
  };
}

function medians(all: readonly ExactCpu[]): ExactCpu {
  return { mainUs: median(all.map(({ mainUs }) => mainUs)), othersUs: median(all.map(({ othersUs }) => othersUs)) };
}

/** By order statistics, which assume nothing about the distribution. */
function medianError(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const reach = Math.sqrt(sorted.length);
  const at = (index: number): number => sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(index)))] ?? 0;
  return (at(sorted.length / 2 + reach) - at(sorted.length / 2 - 1 - reach)) / 2;
}

/**
 * The mean of runs between which the servers have exchanged their roles: how they differ otherwise cancels out. Two
 * servers that are alike may differ more from start to start than from turn to turn: the error includes both.
 */
export function meanOf(runs: readonly Addition[]): Addition {
  const mean = (of: (run: Addition) => number): number => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  const cpu = (of: (run: Addition) => ExactCpu): ExactCpu => ({
    mainUs: mean((run) => of(run).mainUs),
    othersUs: mean((run) => of(run).othersUs),
  });
  const added = cpu((run) => run.added);
  const ofTurns = Math.hypot(...runs.map(({ errorUs }) => errorUs)) / runs.length;
  const spread = Math.hypot(...runs.map((run) => run.added.mainUs - added.mainUs)) / Math.sqrt(runs.length - 1);
  // Twice the standard error of the mean.
  const ofStarts = (2 * spread) / Math.sqrt(runs.length);
  return { without: cpu(({ without }) => without), added, errorUs: Math.hypot(ofTurns, ofStarts) };
}

export function figuresOf(
  names: { readonly base: string; readonly added: string },
  { without, added, errorUs }: Addition,
): readonly Figure[] {
  const figure = (name: string, value: number): Figure => ({ name, unit: 'us', value });
  return [
    figure(`${names.base}, main thread`, without.mainUs),
    figure(`${names.base}, other threads`, without.othersUs),
    figure(`${names.added}, main thread (±${errorUs.toFixed(1)})`, added.mainUs),
    figure(`${names.added}, other threads`, added.othersUs),
  ];
}
