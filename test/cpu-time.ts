import { onThisMachineMs } from './slowness.ts';

/** CPU time of the thread in milliseconds: unlike wall time it does not depend on other load. */
export function cpuTimeMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The CPU time of a work, the least of several tries (fewer suffice if it is short), as a share of what a typical
 * machine may take, at the speed of this one.
 */
export function cpuTimeRatio(work: () => unknown, typicalMs: number, tries = 1): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < tries && leastMs >= typicalMs; tried++) leastMs = Math.min(leastMs, cpuTimeMs(work));
  return leastMs / boundFor(leastMs, typicalMs);
}

/** How fast this machine is, which takes time to find out, matters only if a typical one would be too slow. */
function boundFor(ms: number, typicalMs: number): number {
  return ms < typicalMs ? typicalMs : onThisMachineMs(typicalMs);
}
