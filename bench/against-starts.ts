import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inOrder, median } from './alternation.ts';
import type { Comparison } from './comparison.ts';
import { cpuMs, rssMiB } from './process-usage.ts';
import type { Target } from './target.ts';

const starts = 9;
const settleMs = 3_000;

interface Start {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly rssMiB: number;
}

/** Restarts of killed servers, in turns. */
export async function compareStarts(
  { one, other }: { readonly one: Target; readonly other: Target },
  dataDir: string,
): Promise<readonly Comparison[]> {
  const startOne = (): Promise<Start> => start(one, join(dataDir, 'start-there'));
  const startOther = (): Promise<Start> => start(other, join(dataDir, 'start-here'));
  // The first start creates the store, and fills the cache of compiled code.
  await startOne();
  await startOther();
  const there: Start[] = [];
  const here: Start[] = [];
  for (let round = 0; round < starts; round += 1) {
    const turns = [async () => void there.push(await startOne()), async () => void here.push(await startOther())];
    await inOrder(round % 2 === 0 ? turns : turns.toReversed(), (turn) => turn());
  }
  const comparison = (name: string, unit: Comparison['unit'], of: (start: Start) => number): Comparison => {
    const values = { there: there.map(of), here: here.map(of) };
    return {
      name,
      unit,
      there: median(values.there),
      here: median(values.here),
      ratioOfMinima: Math.min(...values.here) / Math.min(...values.there),
    };
  };
  return [
    comparison('start: CPU until ready', 'ms', (start) => start.cpuMs),
    comparison('start: time until ready', 'ms', (start) => start.wallMs),
    comparison('RSS, idle', 'MiB', (start) => start.rssMiB),
  ];
}

async function start(target: Target, dataDir: string): Promise<Start> {
  const running = await target.start(dataDir);
  const usedMs = cpuMs(running.pids);
  await delay(settleMs);
  const idleMiB = rssMiB(running.pids);
  for (const pid of running.pids) process.kill(pid, 'SIGKILL');
  await running.stop();
  return { cpuMs: usedMs, wallMs: running.startMs, rssMiB: idleMiB };
}
