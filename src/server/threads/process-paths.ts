import { decodedPath } from '../../http/request/decoded-path.ts';
import { snapshotPath } from '../../http/routes/snapshot-route.ts';
import { compactPath, defragPath } from '../../http/routes/upkeep-routes.ts';
import type { Exchange } from '../../http/transport/exchange.ts';

/**
 * What is answered for the process: requests for these paths, and for those below, are served by the first thread,
 * whichever has accepted them.
 */
const processPaths = [
  // The server is ready as a whole.
  ...['/healthz', '/livez', '/readyz'],
  // One sum, and profiles, levels of the log and seats, of the server.
  ...['/metrics', '/debug'],
  ...['/statusz', '/flagz'],
  // The thread that has the store open.
  ...[snapshotPath, compactPath, defragPath, '/api/v1/componentstatuses'],
];

/** The list of paths contains each check of the first thread. */
const indexPaths = ['/', '/index.html'];

export function isOfProcess(exchange: Pick<Exchange, 'path'>): boolean {
  const path = decodedPath(exchange.path);
  return indexPaths.includes(path) || processPaths.some((own) => path === own || path.startsWith(`${own}/`));
}
