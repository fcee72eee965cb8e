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
}

export interface Alternation {
  readonly warmUp: number;
  readonly pairs: number;
}

/** CPU time per request: of those without an addition, and what the addition costs. */
export interface Addition {
  readonly without: ExactCpu;
  readonly added: ExactCpu;
  /** Half of the width of the interval in which the median of the differences lies in 19 of 20 runs. */
  readonly errorUs: number;
}

/** Long enough for the scheduler's clock, short enough that the machine is equally fast in turns next to each other. */
const requestsOfTurn = 200;

/** Two kinds of turns, in pairs that begin with either, so that nothing else that changes with time favours one. */
export async function alternate(
  { without, added }: { readonly without: Turn; readonly added: Turn },
  { warmUp, pairs }: Alternation,
): Promise<Addition> {
  for (let sent = 0; sent < warmUp; sent += requestsOfTurn) {
    for (const turn of [without, added]) await turn.send(requestsOfTurn);
  }
  const base: ExactCpu[] = [];
  const more: ExactCpu[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const turns = pair % 2 === 0 ? [without, added] : [added, without];
    const [first, second] = await inOrder(turns, used);
    if (first === undefined || second === undefined) throw new Error('a pair has two turns');
    const [plain, addition] = pair % 2 === 0 ? [first, second] : [second, first];
    base.push(plain);
    more.push({ mainUs: addition.mainUs - plain.mainUs, othersUs: addition.othersUs - plain.othersUs });
  }
  return { without: medians(base), added: medians(more), errorUs: medianError(more.map(({ mainUs }) => mainUs)) };
}

/** CPU time per request, where there is nothing to compare it with. */
export async function costOf(turn: Turn, { warmUp, turns }: { readonly warmUp: number; readonly turns: number }) {
  for (let sent = 0; sent < warmUp; sent += requestsOfTurn) await turn.send(requestsOfTurn);
  return medians(await inOrder(Array.from({ length: turns }), () => used(turn)));
}

async function used({ pids, send }: Turn): Promise<ExactCpu> {
  const before = exactCpu(pids);
  await send(requestsOfTurn);
  const after = exactCpu(pids);
  return {
    mainUs: (after.mainUs - before.mainUs) / requestsOfTurn,
    othersUs: (after.othersUs - before.othersUs) / requestsOfTurn,
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

/** Of two runs between which the servers have exchanged their roles: how they differ otherwise cancels out. */
export function meanOf(one: Addition, other: Addition): Addition {
  const mean = (a: ExactCpu, b: ExactCpu): ExactCpu => ({
    mainUs: (a.mainUs + b.mainUs) / 2,
    othersUs: (a.othersUs + b.othersUs) / 2,
  });
  return {
    without: mean(one.without, other.without),
    added: mean(one.added, other.added),
    errorUs: Math.hypot(one.errorUs, other.errorUs) / 2,
  };
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
