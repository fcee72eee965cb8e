import { setImmediate as nextRound } from 'node:timers/promises';
import { waitAtMost } from '../../api/time/deadline.ts';
import type { OpenWatches } from '../../http/request/open-watches.ts';
import type { RequestDrain } from '../../http/stages/drain.ts';
import type { Listener } from '../../http/transport/listener.ts';
import type { ServerConfig } from '../config.ts';

/** What clients are served by. */
export interface ServingParts {
  readonly drain: RequestDrain;
  readonly watches: OpenWatches;
  readonly listener: Pick<Listener, 'close'>;
}

/** How long connections may stay open on which nothing is owed: clients close them when they are told to. */
const connectionsMs = 2_000;
/** How long the watches that are left take to end. */
const lastWatchesMs = 1_000;

/** Ends what clients are served; once, however often it is called. */
export function endOfServing(config: ServerConfig, parts: ServingParts): () => Promise<void> {
  let ended: Promise<void> | undefined;
  return () => (ended ??= endServing(config, parts));
}

/**
 * Ends what clients are served, when all who were to know have had the time to turn to another server:
 *
 *     signal                    delay passes                     requests have ended
 *       | /readyz fails           | without a retry: listener closes,  |
 *       | endpoint, Lease go      |   connections end with requests    |
 *       |                         | with a retry: 429                  | listener closes
 *       |                         | watches end, evenly in their time  |
 */
async function endServing(
  { shutdown, requests }: Pick<ServerConfig, 'shutdown' | 'requests'>,
  { drain, watches, listener }: ServingParts,
): Promise<void> {
  const { sendsRetryAfter, watchGraceMs = 0 } = shutdown;
  const { timeoutMs } = requests;
  drain.refuse();
  const watchesEnded = endsWatches(shutdown) ? watches.endWithin(watchGraceMs) : Promise.resolve();
  const close = (graceMs: number): Promise<void> => listener.close(graceMs, () => watches.endWithin(lastWatchesMs));
  if (!sendsRetryAfter) {
    await Promise.all([close(timeoutMs), watchesEnded]);
    return;
  }
  await Promise.all([waitAtMost(timeoutMs, drain.drained()), watchesEnded]);
  await close(connectionsMs);
}

/**
 * Ends what clients are served by a thread whose port others listen on: nothing is refused that has come to it
 * meanwhile.
 */
export async function leaveToOthers(
  { requests }: Pick<ServerConfig, 'requests'>,
  { watches, listener }: Pick<ServingParts, 'watches' | 'listener'>,
): Promise<void> {
  // In this round, what waits to be accepted has been.
  await nextRound();
  await listener.close(requests.timeoutMs, () => watches.endWithin(lastWatchesMs));
}

/** Otherwise they end with the listener. */
export function endsWatches({ watchGraceMs }: ServerConfig['shutdown']): boolean {
  return watchGraceMs !== 0;
}
