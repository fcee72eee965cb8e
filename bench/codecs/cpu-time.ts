const roundMs = 200;
const warmUpRounds = 3;
const rounds = 12;

/** CPU time of one call, including garbage collection: the minimum of several rounds, the least disturbed one. */
export function leastCpuUs(work: () => unknown): number {
  for (let round = 0; round < warmUpRounds; round++) cpuUsOfRound(work);
  return Math.min(...Array.from({ length: rounds }, () => cpuUsOfRound(work)));
}

function cpuUsOfRound(work: () => unknown): number {
  const before = process.cpuUsage();
  const end = performance.now() + roundMs;
  let count = 0;
  for (; performance.now() < end; count += 10) for (let i = 0; i < 10; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
