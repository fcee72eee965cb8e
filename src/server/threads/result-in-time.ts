import { setTimeout as sleep } from 'node:timers/promises';

/** How long a call to all threads waits for one that is computing. */
const maxWaitMs = 2_000;

/** The answer of a thread; undefined if it comes too late, or the thread has ended. */
export async function resultInTime<T>(call: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  const late = sleep(maxWaitMs, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
  const result = await Promise.race([call.catch(() => undefined), late]);
  done.abort();
  return result;
}
