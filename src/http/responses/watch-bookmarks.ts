import { randomInt } from 'node:crypto';

const everyMs = 60_000;
const jitterMs = 1250;
const beforeEndMs = 2000;

/**
 * Calls `due` about once a minute and shortly before the watch ends, so that the client can resume near the present.
 * Returns a function that stops it.
 */
export function scheduleBookmarks(timeoutMs: number, due: () => void): () => void {
  const startedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    const lastMs = timeoutMs - beforeEndMs - (performance.now() - startedMs);
    if (lastMs <= 0) return;
    timer = setTimeout(
      () => {
        due();
        schedule();
      },
      Math.min(everyMs + randomInt(jitterMs), lastMs),
    );
  };
  schedule();
  return () => clearTimeout(timer);
}
