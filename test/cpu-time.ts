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
 * collection hits random steps, so each step counts with its minimum over several tries; fewer tries suffice if no step
 * reaches `boundMs`.
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

/** The longest step as a share of what a typical machine may take, at the speed of this one. */
export function longestStepRatio(makeWork: () => Work<unknown>, typicalMs: number): number {
  const firstMs = longestStepMs(makeWork, Number.POSITIVE_INFINITY);
  if (firstMs < typicalMs) return firstMs / typicalMs;
  const boundMs = onThisMachineMs(typicalMs);
  const stepMs = firstMs < boundMs ? firstMs : longestStepMs(makeWork, boundMs);
  return stepMs / Math.max(boundMs, onThisMachineMs(typicalMs));
}

/** The same for the CPU time of a whole work, the least of several tries: fewer suffice if it is short. */
export function cpuTimeRatio(work: () => unknown, typicalMs: number, tries = 1): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < tries && leastMs >= typicalMs; tried++) leastMs = Math.min(leastMs, cpuTimeMs(work));
  // How fast this machine is, which takes time to find out, matters only if a typical one would be too slow.
  return leastMs / (leastMs < typicalMs ? typicalMs : onThisMachineMs(typicalMs));
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
