/** A deadline, as a time of `performance.now()`: it does not move when the system's clock is set. */
export function deadlineIn(ms: number): number {
  return performance.now() + ms;
}

/** Negative once it has passed. */
export function msUntil(deadlineMs: number): number {
  return deadlineMs - performance.now();
}
