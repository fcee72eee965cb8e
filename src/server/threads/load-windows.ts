import type { EventLoopUtilization } from 'node:perf_hooks';

/** How long an event loop has been active and idle since its thread began. */
export type LoadReading = Pick<EventLoopUtilization, 'active' | 'idle'>;

export interface LoadWindowsOptions<Key> {
  readonly windowMs: number;
  /** The current readings of all threads. */
  readonly read: () => ReadonlyMap<Key, LoadReading>;
  /** Called at the end of a window, with the share of it in which each thread was busy that was there all along. */
  readonly onWindow: (busy: ReadonlyMap<Key, number>) => void;
}

/**
 * Measures how busy threads are, in windows of time. A request begins one, unless one is under way, and those in which
 * there was no request are followed by none: nothing runs while nothing is asked.
 *
 *     request   |    | |  ||                      |
 *     window    [......][......][......]          [......][......]
 */
export class LoadWindows<Key> implements Disposable {
  readonly #options: LoadWindowsOptions<Key>;
  /** Whether there was a request in this window. */
  #hasRequests = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LoadWindowsOptions<Key>) {
    this.#options = options;
  }

  /** There is a request. */
  readonly noteRequest = (): void => {
    if (this.#hasRequests) return;
    this.#hasRequests = true;
    if (this.#timer === undefined) this.#begin(this.#options.read());
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    // No request begins another one.
    this.#hasRequests = true;
  }

  #begin(before: ReadonlyMap<Key, LoadReading>): void {
    this.#timer = setTimeout(() => this.#end(before), this.#options.windowMs).unref();
  }

  #end(before: ReadonlyMap<Key, LoadReading>): void {
    const { read, onWindow } = this.#options;
    const hadRequests = this.#hasRequests;
    this.#hasRequests = false;
    this.#timer = undefined;
    if (!hadRequests) return;
    const now = read();
    this.#begin(now);
    onWindow(busyShares(before, now));
  }
}

function busyShares<Key>(
  before: ReadonlyMap<Key, LoadReading>,
  after: ReadonlyMap<Key, LoadReading>,
): ReadonlyMap<Key, number> {
  const shares = new Map<Key, number>();
  for (const [key, { active, idle }] of before) {
    const now = after.get(key);
    if (now === undefined) continue;
    const [activeMs, idleMs] = [now.active - active, now.idle - idle];
    shares.set(key, activeMs + idleMs > 0 ? activeMs / (activeMs + idleMs) : 0);
  }
  return shares;
}
