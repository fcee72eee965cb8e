const rounds = 5;
/** What the work below takes on an idle core of a typical machine of 2024. */
const ordinaryMs = 20;
/** Machines that others use too change their speed within minutes. */
const validForMs = 5_000;

/** How many times slower than typical this machine currently is; at least 1. */
export function slowness(): number {
  const times = Array.from({ length: rounds }, work);
  return Math.max(1, Math.min(...times) / ordinaryMs);
}

let last = { slowness: 1, measuredMs: Number.NEGATIVE_INFINITY };

/** What takes a typical machine so long may take this one longer. */
export function onThisMachineMs(typicalMs: number): number {
  if (performance.now() - last.measuredMs > validForMs) {
    const measured = slowness();
    last = { slowness: measured, measuredMs: performance.now() };
  }
  return typicalMs * last.slowness;
}

let text: string | undefined;

function work(): number {
  text ??= JSON.stringify(Array.from({ length: 60_000 }, (_, index) => ({ name: `n${index}`, value: index })));
  const { user, system } = process.threadCpuUsage();
  JSON.parse(text);
  const { user: userAfter, system: systemAfter } = process.threadCpuUsage();
  return (userAfter + systemAfter - user - system) / 1000;
}
