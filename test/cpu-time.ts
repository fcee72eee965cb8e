import type { Work } from '../src/api/turns.ts';
import { onThisMachineMs } from './slowness.ts';

/** CPU time of the thread in milliseconds: unlike wall time it does not depend on other load. */
export function cpuTimeMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The longest stretch of CPU time between two pauses of a work: a lower bound on how long others wait. Garbage
 * collection hits random steps, so each step counts with its minimum over several tries; fewer do if the longest
 * suffices.
 */
export function longestStepMs(makeWork: () => Work<unknown>, suffices: (ms: number) => boolean): number {
  let shortest: number[] = [];
  for (let tries = 1; ; tries++) {
    shortest = stepsOf(makeWork()).map((ms, index) => Math.min(ms, shortest[index] ?? ms));
    const longestMs = shortest.reduce((longest, ms) => Math.max(longest, ms), 0);
    if (tries === mostTries || suffices(longestMs)) return longestMs;
  }
}

const mostTries = 5;

/** The longest step as a share of what a typical machine may take, at the speed of this one. */
export function longestStepRatio(makeWork: () => Work<unknown>, typicalMs: number): number {
  let boundMs = typicalMs;
  const stepMs = longestStepMs(makeWork, (ms) => {
    boundMs = Math.max(boundMs, boundFor(ms, typicalMs));
    return ms < boundMs;
  });
  return stepMs / Math.max(boundMs, boundFor(stepMs, typicalMs));
}

/** The same for the CPU time of a whole work, the least of several tries: fewer suffice if it is short. */
export function cpuTimeRatio(work: () => unknown, typicalMs: number, tries = 1): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < tries && leastMs >= typicalMs; tried++) leastMs = Math.min(leastMs, cpuTimeMs(work));
  return leastMs / boundFor(leastMs, typicalMs);
}

/** How fast this machine is, which takes time to find out, matters only if a typical one would be too slow. */
function boundFor(ms: number, typicalMs: number): number {
  return ms < typicalMs ? typicalMs : onThisMachineMs(typicalMs);
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
