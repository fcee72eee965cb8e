import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inOrder, median } from './alternation.ts';
import type { Comparison } from './comparison.ts';
import { cpuMs, rssMiB } from './process-usage.ts';
import type { RunningTarget, Target } from './target.ts';

const rounds = 7;
/** As the row of memory waits. */
const settledMs = 3_000;
/** V8 returns what a start took only when it has collected, which takes it some 30 seconds if nobody sends anything. */
const returnedMs = 45_000;

interface Start {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly settledMiB: number;
  readonly returnedMiB: number;
}

interface Begun {
  readonly running: RunningTarget;
  readonly cpuMs: number;
}

/** Restarts of killed servers, in turns; then both are idle together. */
export async function compareStarts(
  targets: { readonly one: Target; readonly other: Target },
  dataDir: string,
): Promise<readonly Comparison[]> {
  const startOne = (): Promise<Begun> => begin(targets.one, join(dataDir, 'start-there'));
  const startOther = (): Promise<Begun> => begin(targets.other, join(dataDir, 'start-here'));
  // The first start creates the store, and fills the cache of compiled code.
  for (const begun of await inOrder([startOne, startOther], (start) => start())) {
    await delay(settledMs);
    await kill(begun);
  }
  const there: Start[] = [];
  const here: Start[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = round % 2 === 0 ? [startOne, startOther] : [startOther, startOne];
    const begun = await inOrder(turns, (start) => start());
    const [one, other] = await idle(round % 2 === 0 ? begun : begun.toReversed());
    if (one === undefined || other === undefined) throw new Error('a round has two starts');
    there.push(one);
    here.push(other);
  }
  return figures(there, here);
}

async function begin(target: Target, dataDir: string): Promise<Begun> {
  const running = await target.start(dataDir);
  return { running, cpuMs: cpuMs(running.pids) };
}

async function idle(begun: readonly Begun[]): Promise<readonly Start[]> {
  const memory = (): readonly number[] => begun.map(({ running }) => rssMiB(running.pids));
  await delay(settledMs);
  const settled = memory();
  await delay(returnedMs - settledMs);
  const returned = memory();
  for (const one of begun) await kill(one);
  return begun.map(({ running, cpuMs }, index) => ({
    cpuMs,
    wallMs: running.startMs,
    settledMiB: settled[index] ?? Number.NaN,
    returnedMiB: returned[index] ?? Number.NaN,
  }));
}

async function kill({ running }: Begun): Promise<void> {
  for (const pid of running.pids) process.kill(pid, 'SIGKILL');
  await running.stop();
}

function figures(there: readonly Start[], here: readonly Start[]): readonly Comparison[] {
  const comparison = (name: string, unit: Comparison['unit'], of: (start: Start) => number): Comparison => ({
    name,
    unit,
    there: median(there.map(of)),
    here: median(here.map(of)),
    ratioOfMinima: Math.min(...here.map(of)) / Math.min(...there.map(of)),
  });
  return [
    comparison('start: CPU until ready', 'ms', (start) => start.cpuMs),
    comparison('start: time until ready', 'ms', (start) => start.wallMs),
    comparison(`RSS, ${settledMs / 1000} s later`, 'MiB', (start) => start.settledMiB),
    comparison(`RSS, ${returnedMs / 1000} s later`, 'MiB', (start) => start.returnedMiB),
  ];
}
