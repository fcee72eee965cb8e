import type { Work } from '../src/api/turns.ts';

/** How long the thread works, in milliseconds: unlike time by the clock, that is not longer on a busy machine. */
export function cpuTimeMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The longest that the thread works between two pauses of a work, at best of three: what others wait at least. */
export function longestStepMs(makeWork: () => Work<unknown>): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3; tries++) {
    const work = makeWork();
    let longest = 0;
    for (let done = false; !done;) {
      const ms = cpuTimeMs(() => {
        done = work.next().done === true;
      });
      longest = Math.max(longest, ms);
    }
    best = Math.min(best, longest);
  }
  return best;
}
