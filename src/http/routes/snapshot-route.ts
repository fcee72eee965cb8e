import { Turns } from '../../api/turns.ts';
import { methodNotAllowed } from '../../api/status-errors.ts';
import type { PathHandler } from './non-resource-routes.ts';
import { apiHeaders } from '../answers/respond.ts';

/** Where the store's snapshot is read. Our own: the reference leaves this to etcd. */
export const snapshotPath = '/binnacle/snapshot';

/** A client that takes nothing for so long holds on to values that the store has replaced: it is cut off. */
const defaultStallTimeoutMs = 60_000;

/** Sends a snapshot at the pace of the client, and others have their turn between its chunks. */
export function snapshotHandler(
  takeSnapshot: () => Iterable<Uint8Array>,
  stallTimeoutMs = defaultStallTimeoutMs,
): PathHandler {
  return async (context) => {
    const { exchange } = context;
    if (exchange.method !== 'GET') throw methodNotAllowed();
    context.responseCode = 200;
    const response = exchange.start(200, apiHeaders(context, 'application/octet-stream'));
    const turns = new Turns();
    for (const chunk of takeSnapshot()) {
      if (exchange.closed) return;
      if (!response.write(chunk)) {
        const timer = setTimeout(() => exchange.abort(), stallTimeoutMs);
        await response.drained();
        clearTimeout(timer);
      }
      if (turns.isOver) await turns.next();
    }
    response.end();
  };
}
