import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../time/clock.ts';
import { longestTimerMs } from '../time/deadline.ts';

/** Sleeps until the time is up or the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Sleeps until `ms` have passed on a clock, or the signal aborts. */
export async function pauseOn(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const endMs = clock.now() + ms;
  for (let leftMs = ms; leftMs > 0 && !signal.aborted; leftMs = endMs - clock.now()) {
    const jumped = new AbortController();
    using _ = clock.onJump?.(() => jumped.abort());
    await pause(Math.min(leftMs, longestTimerMs), AbortSignal.any([signal, jumped.signal]));
    if (clock.onJump === undefined) return;
  }
}
