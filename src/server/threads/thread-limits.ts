import { availableParallelism } from 'node:os';

/** Whether several listeners of one port share its connections; elsewhere the kernel gives all to the last one. */
export const spreadsConnections = ['linux', 'freebsd', 'aix', 'sunos'].includes(process.platform);

/** More have not been tried. */
export const maxApiThreads = 64;

/** What the thread is called that the process begins with. */
export const firstThreadName = 'main';
/** A lane is busy as long as it works; more do not make the process faster than it has cores. */
export const maxLanes = 16;

/** Why there cannot be so many threads. */
export function threadsProblem(count: number): string | undefined {
  if (!Number.isInteger(count) || count < 1 || count > maxApiThreads) return `must be 1 to ${maxApiThreads}`;
  if (count > 1 && !spreadsConnections) return `must be 1 on this system: ${process.platform}`;
  return undefined;
}

/** How many lanes a server of its own may have. */
export function lanesOfMachine(): number {
  return Math.min(Math.max(1, availableParallelism() - 1), 4);
}
