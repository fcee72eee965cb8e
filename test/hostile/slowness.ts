const rounds = 5;
/** What the work below takes on an idle core of a typical machine of 2024. */
const ordinaryMs = 20;

/** How many times slower than typical this machine currently is; at least 1. */
export function slowness(): number {
  const times = Array.from({ length: rounds }, work);
  return Math.max(1, Math.min(...times) / ordinaryMs);
}

const text = JSON.stringify(Array.from({ length: 60_000 }, (_, index) => ({ name: `n${index}`, value: index })));

function work(): number {
  const { user, system } = process.threadCpuUsage();
  JSON.parse(text);
  const { user: userAfter, system: systemAfter } = process.threadCpuUsage();
  return (userAfter + systemAfter - user - system) / 1000;
}
