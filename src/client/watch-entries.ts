import type { ClientWatchOptions } from '../api/client/client.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import { TimeSlice } from '../api/scheduling/time-slice.ts';
import type { WatchEvent } from '../watchcache/cache-event.ts';
import { type CacheWatchReceiver, type CacheWatchRequest, type WatchCache } from '../watchcache/watch-cache.ts';
import { WatchExpiredError } from '../watchcache/watch-expired-error.ts';
import type { WatchScope } from '../watchcache/watcher-index.ts';

export interface EntryWatch<Item> extends Pick<ClientWatchOptions, 'resourceVersion' | 'signal'> {
  readonly scope: WatchScope;
  /** Absent: all entries are told of. */
  readonly selects?: CacheWatchRequest['selects'];
  /** Converts an event. A generator around this one would cost more than most followers' own work. */
  readonly item: (event: WatchEvent) => Soon<Item>;
}

/** The changes in one scope, in order; ends with the signal, or when the cache restarts. */
export async function* watchEntries<Item>(
  cache: WatchCache,
  { scope, selects, resourceVersion, signal, item }: EntryWatch<Item>,
): AsyncGenerator<Item> {
  await cache.ready();
  let waiting: WatchEvent[] = [];
  let ended = signal.aborted;
  let wake = (): void => undefined;
  const end = (): void => {
    ended = true;
    wake();
  };
  signal.addEventListener('abort', end, { once: true });
  const receiver: CacheWatchReceiver = {
    event(event) {
      waiting.push(event);
      wake();
    },
    ended: end,
  };
  const request = { scope, ...(selects && { selects }), afterRevision: Number(resourceVersion) };
  const stop = startWatch(cache, request, receiver);
  if (stop === undefined) {
    signal.removeEventListener('abort', end);
    return;
  }
  try {
    for (;;) {
      // Those of one commit may be many, and followers wait for nothing.
      const timeSlice = new TimeSlice();
      while (waiting.length > 0) {
        const events = waiting;
        waiting = [];
        for (const event of events) {
          if (timeSlice.isOver) await timeSlice.next();
          yield item(event);
        }
      }
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal.removeEventListener('abort', end);
    stop();
  }
}

/** Undefined if the starting point is too old for the cache's history. */
function startWatch(
  cache: WatchCache,
  request: CacheWatchRequest,
  receiver: CacheWatchReceiver,
): (() => void) | undefined {
  try {
    return cache.watch(request, receiver);
  } catch (error) {
    if (!(error instanceof WatchExpiredError)) throw error;
    return undefined;
  }
}
