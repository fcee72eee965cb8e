const roundMs = 200;
const warmUpRounds = 3;
const rounds = 7;

/** CPU time of one call, garbage collection included: the median of several rounds. */
export function medianCpuUs(work: () => unknown): number {
  for (let round = 0; round < warmUpRounds; round++) cpuUsOfRound(work);
  const figures = Array.from({ length: rounds }, () => cpuUsOfRound(work)).toSorted((a, b) => a - b);
  return figures[Math.floor(rounds / 2)] ?? Number.NaN;
}

function cpuUsOfRound(work: () => unknown): number {
  const before = process.cpuUsage();
  const end = performance.now() + roundMs;
  let count = 0;
  for (; performance.now() < end; count += 10) for (let i = 0; i < 10; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
