/** How long the thread works, in milliseconds: unlike time by the clock, that is not longer on a busy machine. */
export function cpuTimeMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
