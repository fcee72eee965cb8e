import { StatusError } from '../../api/errors/status.ts';
import { methodNotAllowed } from '../../api/errors/status-errors.ts';
import type { PathHandler } from './non-resource-routes.ts';
import { apiHeaders } from '../responses/respond.ts';

/** Serves a snapshot of the store. Our own endpoint: the reference leaves this to etcd. */
export const snapshotPath = '/binnacle/snapshot';
/** How many keys the snapshot contains: its size is not known before it has been sent. */
export const snapshotKeysHeader = 'binnacle-snapshot-keys';

const ownTools = 'the store of this server is not the embedded one: run `etcdctl snapshot save`';

/** A stalled client keeps replaced values alive in the store: cut it off. */
const defaultStallTimeoutMs = 60_000;

/**
 * Sends a snapshot at the client's pace, yielding to other requests between chunks. Without `takeSnapshot`, the store
 * has its own tools for that.
 */
export function snapshotHandler(
  takeSnapshot: (() => { readonly keys: number; readonly chunks: Iterable<Uint8Array> }) | undefined,
  stallTimeoutMs = defaultStallTimeoutMs,
): PathHandler {
  return async (context) => {
    const { exchange } = context;
    if (exchange.method !== 'GET') throw methodNotAllowed();
    if (takeSnapshot === undefined) throw new StatusError({ code: 409, reason: 'Conflict', message: ownTools });
    const { keys, chunks } = takeSnapshot();
    const headers = { ...apiHeaders(context, 'application/octet-stream'), [snapshotKeysHeader]: keys };
    const response = exchange.start(200, headers);
    for (const chunk of chunks) {
      if (exchange.closed) return;
      if (!response.write(chunk)) await response.drained(stallTimeoutMs);
    }
    response.end();
  };
}
