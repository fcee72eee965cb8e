import { randomInt } from 'node:crypto';

/** Tells a client that it knows all changes up to a revision. */
export class Bookmark {
  readonly revision: number;
  /** The state with which the watch began has been told whole. */
  readonly initialEventsEnd: boolean;

  constructor(revision: number, initialEventsEnd = false) {
    this.revision = revision;
    this.initialEventsEnd = initialEventsEnd;
  }
}

/** Marks the bookmark after the initial events (KEP-3157). */
export const initialEventsEndAnnotation = 'k8s.io/initial-events-end';

const everyMs = 60_000;
const jitterMs = 1250;
const beforeEndMs = 2000;

/** Calls `due` about every minute, and shortly before the watch ends, so that the client may go on close to the present. Answers a function that stops it. */
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
