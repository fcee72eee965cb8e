/** What one priority level wants of the seats. */
export interface Claim {
  /** At least `lower`. */
  readonly target: number;
  readonly lower: number;
  readonly upper: number;
}

export interface Allocation {
  readonly seats: readonly number[];
  /** What part of its target everybody gets who is not held by a bound. */
  readonly fairFraction: number;
}

const leastTarget = 0.001;
const tolerance = 1e-7;

/**
 * Divides seats in proportion to targets, within bounds: the one fraction F is found for which
 * `clamp(F * target, lower, upper)` adds up to the total. Undefined if the bounds leave no solution.
 *
 *     total 30, claims of 20 (5 to 40) and 40 (5 to 10): F = 1, the second is held at 10, the first gets 20
 */
export function allocate(total: number, claims: readonly Claim[]): Allocation | undefined {
  const targets = claims.map(({ target }) => Math.max(target, leastTarget));
  const relative = claims.map(({ lower, upper }, at) => {
    const target = targets[at] ?? 1;
    return { target, lower: lower / target, upper: upper / target };
  });
  const [low, high] = [sum(claims.map(({ lower }) => lower)), sum(claims.map(({ upper }) => upper))];
  if (total < 0 || low - total > tolerance || total - high > tolerance) return undefined;
  if (total === 0) return { seats: claims.map(() => 0), fairFraction: 0 };
  const lowest = Math.min(...relative.map(({ lower }) => lower));
  if (low - total > -tolerance) return { seats: claims.map(({ lower }) => lower), fairFraction: lowest };
  if (total - high > -tolerance) {
    const fairFraction = Math.max(...relative.map(({ upper }) => upper));
    return { seats: claims.map(({ upper }) => upper), fairFraction };
  }
  const fairFraction = fractionFor(total, { low, lowest, relative });
  const seats = claims.map(({ lower, upper }, at) =>
    Math.max(lower, Math.min(upper, fairFraction * (targets[at] ?? 0))),
  );
  return { seats, fairFraction };
}

interface RelativeClaim {
  readonly target: number;
  readonly lower: number;
  readonly upper: number;
}

/** The sum grows with F in straight pieces between the bounds; this walks along them. */
function fractionFor(
  total: number,
  {
    low,
    lowest,
    relative,
  }: { readonly low: number; readonly lowest: number; readonly relative: readonly RelativeClaim[] },
): number {
  const bounds = relative
    .flatMap(({ target, lower, upper }) => [
      { at: lower, slope: target },
      { at: upper, slope: -target },
    ])
    .toSorted((a, b) => a.at - b.at);
  let [fraction, reached, slope] = [lowest, low, 0];
  for (const bound of bounds) {
    const gained = (bound.at - fraction) * slope;
    if (slope > tolerance && reached + gained >= total) break;
    reached += gained;
    fraction = bound.at;
    slope += bound.slope;
  }
  return slope > tolerance ? fraction + (total - reached) / slope : fraction;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
