import { allocate } from './concurrency-allocation.ts';
import type { PriorityLevel } from './priority-level.ts';

/**
 * Gives each level the seats that it is to have until the next adjustment: in proportion to its smoothed demand, within
 * what it may lend and borrow, and never less than it used lately of its own. Returns the fair fraction.
 */
export function adjustSeats(levels: readonly PriorityLevel[], totalSeats: number): number {
  let left = totalSeats;
  const limited: PriorityLevel[] = [];
  for (const level of levels) {
    if (!level.isExempt) {
      limited.push(level);
      continue;
    }
    const taken = Math.max(level.limits.min, level.demand.highWatermark);
    left -= taken;
    level.target = taken;
    level.setCurrent(taken);
  }
  const claims = limited.map((level) => {
    const lower = Math.max(level.limits.min, Math.min(level.limits.nominal, level.demand.highWatermark));
    return { lower, upper: level.limits.max, target: Math.max(lower, level.demand.smoothed) };
  });
  const minSum = sum(limited.map(({ limits }) => limits.min));
  const lowerSum = sum(claims.map(({ lower }) => lower));
  const allocation = left > lowerSum ? allocate(totalSeats, claims) : undefined;
  // Between what levels keep for themselves and what they used lately.
  const part = left > minSum && left <= lowerSum ? (left - minSum) / (lowerSum - minSum) : 0;
  for (const [at, level] of limited.entries()) {
    const { lower = 0, target = 0 } = claims[at] ?? {};
    const { min } = level.limits;
    level.target = target;
    if (left <= lowerSum) level.setCurrent(min + Math.round((lower - min) * part));
    else level.setCurrent(Math.round(allocation?.seats[at] ?? level.current));
  }
  return allocation?.fairFraction ?? 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
