import type { Work } from '../src/api/turns.ts';

/** How long the thread works, in milliseconds: unlike time by the clock, that is not longer on a busy machine. */
export function cpuTimeMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The longest that the thread works between two pauses of a work: what others wait at least. Garbage is collected in any step, and in
 * another one each time, so each step counts by the shortest that it took in some tries; fewer do when no step reaches `boundMs`.
 */
export function longestStepMs(makeWork: () => Work<unknown>, boundMs = 0): number {
  let shortest: number[] = [];
  let longestMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && longestMs >= boundMs; tries++) {
    shortest = stepsOf(makeWork()).map((ms, index) => Math.min(ms, shortest[index] ?? ms));
    longestMs = shortest.reduce((longest, ms) => Math.max(longest, ms), 0);
  }
  return longestMs;
}

function stepsOf(work: Work<unknown>): number[] {
  const steps: number[] = [];
  for (let done = false; !done;) {
    const ms = cpuTimeMs(() => {
      done = work.next().done === true;
    });
    steps.push(ms);
  }
  return steps;
}
