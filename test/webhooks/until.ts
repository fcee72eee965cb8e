import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../program.ts';

const patienceMs = 60_000;
const intervalMs = 200;

/** Waits until something is so, while programs run. */
export async function until(what: string, running: readonly Program[], isSo: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + patienceMs; !(await isSo()); await sleep(intervalMs)) {
    const ended = running.find((each) => !each.isRunning);
    if (ended !== undefined) throw new Error([ended.name, ...ended.lines(/./).slice(-10)].join('\n'));
    if (performance.now() > endMs) throw new Error(`not in time: ${what}`);
  }
}
