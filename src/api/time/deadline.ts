/** A deadline, as a time of `performance.now()`: it does not move when the system's clock is set. */
export function deadlineIn(ms: number): number {
  return performance.now() + ms;
}

/** Negative once it has passed. */
export function msUntil(deadlineMs: number): number {
  return deadlineMs - performance.now();
}

/** The maximum delay of timers. */
export const longestTimerMs = 2 ** 31 - 1;

/** The delay of a timer for a deadline; it may fire earlier if that is weeks ahead. */
export function timerMsUntil(deadlineMs: number): number {
  return Math.min(Math.max(0, msUntil(deadlineMs)), longestTimerMs);
}

/** Resolves when `pending` has, or after `ms`: what takes longer is not waited for. */
export async function waitAtMost(ms: number, pending: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  // What remains of a time that has passed is negative, which Node warns of.
  const timer = setTimeout(resolve, Math.max(0, ms));
  try {
    await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects with what `late` returns if `pending` has not settled by `deadlineMs`. */
export async function settledBy<T>(deadlineMs: number, pending: Promise<T>, late: () => Error): Promise<T> {
  if (deadlineMs === Number.POSITIVE_INFINITY) return pending;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), timerMsUntil(deadlineMs));
  try {
    return await Promise.race([pending, promise]);
  } finally {
    clearTimeout(timer);
  }
}
